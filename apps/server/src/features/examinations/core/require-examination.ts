import type { Examination, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import { lostValues } from '@wardline/examination/forms/newer-form.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { listDecisions } from './critical-decisions.ts';
import type { ExaminationDeps, OpenedChat } from './deps.ts';
import { type ExaminationRecord, findExamination, listEntries } from './examination-queries.ts';
import { markInError, signExamination, writeExamination } from './policy.ts';
import { listTemplateRows } from './template-queries.ts';

interface Question {
  readonly actor: Actor;
  readonly examinationId: string;
}

export interface OpenedExamination {
  readonly chat: OpenedChat;
  readonly examination: ExaminationRecord;
}

/** Who reads the chat reads its examinations; for anybody else there is none (404). */
export async function requireExamination(
  { chats }: ExaminationDeps,
  db: RequestContext['db'] | DatabaseTransaction,
  { actor, examinationId }: Question,
): Promise<OpenedExamination> {
  const examination = await findExamination(db, { examinationId, userId: actor.userId });
  if (examination === null) throw new AppError('not_found');
  return { chat: await chats.open(db, { actor, chatId: examination.chat_id }), examination };
}

/** The same for who is given it to read: the audit names them, once in a quarter of an hour. */
export async function requireExaminationToRead(
  deps: ExaminationDeps,
  { actor, db, noteReads }: Pick<RequestContext, 'actor' | 'db' | 'noteReads'>,
  examinationId: string,
): Promise<OpenedExamination> {
  const opened = await requireExamination(deps, db, { actor, examinationId });
  const { id: chatId, facilityId } = opened.chat;
  await noteReads('examination.view', [{ facilityId, objectType: 'examination', objectId: examinationId, chatId }]);
  return opened;
}

/** As who asks sees it and may change it. */
export async function serializeExamination(
  { chats, critical }: ExaminationDeps,
  db: Database | DatabaseTransaction,
  { actor, opened: { chat, examination } }: { readonly actor: Actor; readonly opened: OpenedExamination },
): Promise<Examination> {
  const { readVersion, acknowledgedVersion, subject: _subject, origin, ...told } = examination;
  const entries = await listEntries(db, told.id);
  const ids = entries.flatMap(({ regions = [] }) => regions.map(({ attachment_id }) => attachment_id));
  const pictures = await chats.pictures(db, { chatId: chat.id, userId: actor.userId, ids: [...new Set(ids)] });
  const isSigned = told.report_version > 0;
  const newer = isEditable(told.state) && origin === null ? await findNewerForm(db, examination) : null;
  return {
    ...told,
    entries: entries.filter(({ value }) => value !== ''),
    pictures,
    newer_form: newer && { version: newer.version, lost: lostValues(told.template, newer, entries) },
    critical_alerts: isSigned ? await critical.list(db, told.id) : [],
    critical_decisions: isSigned ? await listDecisions(db, told.id) : [],
    my: {
      // What was imported is changed where it was made.
      can_write: origin === null && can(actor, writeExamination, chat),
      can_sign: origin === null && can(actor, signExamination, chat),
      can_mark_in_error: can(actor, markInError, chat),
      read_version: readVersion,
      acknowledged_version: acknowledgedVersion,
    },
  };
}

/** The version that an examination of this form would be begun with now, where it is a newer one. */
export async function findNewerForm(
  db: Database | DatabaseTransaction,
  { template, facility_id: facilityId }: ExaminationRecord,
): Promise<ExaminationTemplate | null> {
  const [newest] = await listTemplateRows(db, { facilityId, only: template.id, limit: 1 });
  return newest && newest.version > template.version ? newest : null;
}
