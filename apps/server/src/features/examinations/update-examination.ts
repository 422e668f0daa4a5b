import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  Entry,
  updateExamination as endpoint,
  StoredEntry,
} from '@wardline/contract/examinations/examinations.ts';
import { isSameRegions } from '@wardline/examination/regions.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import { sql } from 'kysely';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { checkEntries, checkUnchanged, toInput } from './core/check-entries.ts';
import { checkRegions, withStoredRegions } from './core/check-regions.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { examinationChanged } from './core/examination-changed.ts';
import { listEntries, lockExamination, storeEntries } from './core/examination-queries.ts';
import { writeExamination } from './core/policy.ts';
import { requireExamination, serializeExamination } from './core/require-examination.ts';

type Endpoint = typeof endpoint;

/** Enters values. Changes of several people are merged by field; the same field is never overwritten silently. */
export function updateExamination(deps: ExaminationDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, examinationId: params.examination };
    authorize(actor, writeExamination, (await requireExamination(deps, db, question)).chat);
    return write('examination.update', async (tx) => {
      await lockExamination(tx, params.examination);
      const opened = await requireExamination(deps, tx, question);
      const { chat, examination } = opened;
      await authorizeNow(tx, actor, writeExamination, chat);
      const { id, template, version } = examination;
      if (body.expected_version > version || !isEditable(examination.state)) throw new AppError('conflict');
      const stored = await listEntries(tx, id);
      const sex = body.patient_sex === undefined ? examination.patient_sex : body.patient_sex;
      const subject = { ...examination.subject, sex };
      const given = withStoredRegions(body.entries ?? [], stored);
      const entries = checkEntries(template, given, subject);
      checkUnchanged(stored, given, { expectedVersion: body.expected_version, userId: actor.userId });
      const reader = { chatId: chat.id, userId: actor.userId };
      await checkRegions(deps, tx, { ...reader, template, inputs: given, stored });
      const changed = entries.filter(
        (entry) =>
          !isSame(
            entry,
            stored.find(({ field }) => field === entry.field),
          ),
      );
      const isOtherSex = sex !== examination.patient_sex;
      if (changed.length === 0 && !isOtherSex) {
        return { result: await serializeExamination(deps, tx, { actor, opened }), audit: null };
      }
      const next = version + 1;
      await storeEntries(tx, { examinationId: id, userId: actor.userId, version: next }, changed);
      // Which range holds may hang on it.
      const flags = isOtherSex ? checkEntries(template, stored.map(toInput), subject) : [];
      for (const { field, interpretation } of flags.filter(
        ({ field }) => !changed.some((entry) => entry.field === field),
      )) {
        const row = tx.updateTable('examination_entries').set({ interpretation });
        await row.where('examination_id', '=', id).where('field', '=', field).execute();
      }
      await tx
        .updateTable('examinations')
        .set({ version: next, patient_sex: sex, updated_at: sql<Date>`now()` })
        .where('id', '=', id)
        .execute();
      const fields = changed.map(({ field }) => field);
      const detail = { chat: chat.id, version: next, fields, ...(isOtherSex && { sex: true }) };
      return {
        result: await serializeExamination(deps, tx, { actor, opened: await requireExamination(deps, tx, question) }),
        audit: { facilityId: chat.facilityId, objectType: 'examination', objectId: id, detail },
        publish: examinationChanged({ id, chatId: chat.id, version: next }),
      };
    });
  };
}

/** What is not there and what is empty are the same. */
function isSame(entry: Entry, stored: StoredEntry | undefined): boolean {
  if (!stored) return entry.value === '';
  const { value, interpretation, comparison } = stored;
  const isAlike = entry.value === value && entry.interpretation === interpretation && entry.comparison === comparison;
  return isAlike && isSameRegions(entry.regions, stored.regions);
}
