import type { HandoverSheetInput, HandoverSigner } from '@wardline/contract/examinations/handovers.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { HandoverDeps, HandoverReceiver, OpenedChat } from './deps.ts';
import { checkLines } from './handover-suggestions.ts';
import { insertSheet, type SheetContent, storeActions } from './sheet-queries.ts';

export interface Signing {
  readonly actor: Actor;
  readonly chat: OpenedChat;
  readonly receiver: HandoverReceiver;
  readonly sheet: HandoverSheetInput;
  readonly handsOverChat: boolean;
  /** Why it is corrected; null of the first. */
  readonly reason: string | null;
}

/** What is checked before anything of a signed sheet is stored, and who comes into the chat by it. */
export interface PreparedSheet {
  readonly content: Omit<SheetContent, 'handover' | 'version'>;
  readonly publish: readonly Publication[];
}

/** Under the chat's lock: the sheet as it will be signed. */
export async function prepareSheet(
  deps: HandoverDeps,
  tx: DatabaseTransaction,
  { actor, chat, receiver, sheet, handsOverChat, reason }: Signing,
): Promise<PreparedSheet> {
  if (receiver.user_id === actor.userId) throw invalidField('to', 'Choose somebody else: this is you.');
  if (handsOverChat && !chat.canManage) throw new AppError('forbidden');
  const { format, severity, actions } = sheet;
  const lines = await checkLines(deps, tx, { chatId: chat.id, userId: actor.userId, lines: sheet.lines });
  const patient = await findPatient(tx, chat.id);
  const publish = await deps.handovers.letIn(tx, { actor, chatId: chat.id, receiver });
  const { role, ...to } = receiver;
  return {
    content: {
      ...{ format, severity, patient, lines, actions, to, role: role?.name ?? null },
      ...{ hands_over_chat: handsOverChat, reason, given: { by: signerOf(actor, chat.facilityId), at: now(deps) } },
    },
    publish,
  };
}

/** Stores the version, with its actions; the hash of what was signed. */
export async function storeSheet(tx: DatabaseTransaction, content: SheetContent): Promise<string> {
  const sha256 = await insertSheet(tx, content);
  await storeActions(tx, content);
  return sha256;
}

export function signerOf(actor: Actor, facilityId: string): HandoverSigner {
  return { user_id: actor.userId, name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
}

export function now({ now: clock }: HandoverDeps): string {
  return (clock?.() ?? new Date()).toISOString();
}

const FORMATS = { ipass: 'I-PASS', sbar: 'SBAR' } as const;

/** As the line in the chat says it, after what was done. */
export function describeSheet({ format, severity, to, role }: PreparedSheet['content']): string {
  const whom = role === null ? to.name : `${to.name} as ${role}`;
  return `${whom}: ${FORMATS[format]}${severity === null ? '' : `, ${severity}`}`;
}

const patients = typedRows<{ name: string; identifier: string; born_on: string | null; bed: string | null }>({
  ...{ name: 'string', identifier: 'string', born_on: 'string?', bed: 'string?' },
});

/** Whom a chat is about, by two identifiers; null where it is no case. */
export async function findPatient(db: DatabaseTransaction | Parameters<typeof patients.first>[0], chatId: string) {
  const query = sql`
    select patient_name as name, patient_identifier as identifier, patient_born_on as born_on, patient_bed as bed
    from chats where id = ${chatId} and patient_name is not null and patient_identifier is not null`;
  return (await patients.first(db, query)) ?? null;
}
