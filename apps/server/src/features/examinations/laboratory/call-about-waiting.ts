import { criticalFindings } from '@wardline/examination/critical-findings.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { findPermitted } from '#/platform/http/authorization/find-permissions.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { SERVER_ACTOR } from '#/platform/http/server-actor.ts';
import type { ExaminationDeps } from '../core/deps.ts';
import { listTemplateRows } from '../core/template-queries.ts';
import { countUnmatched } from './feed-queries.ts';
import { MOST_TEMPLATES } from './file-report.ts';
import { laboratoryForm } from './laboratory-form.ts';
import type { LaboratoryReport } from './laboratory-report.ts';

/** The call about critical results that wait for a person, one in a facility at a time, held to the end of the transaction. */
export interface WaitingCall {
  /** After a critical result was stored that waits: calls, or says it beside a call that still goes on. */
  arrived(result: { readonly id: string; readonly report: LaboratoryReport }): Promise<readonly Publication[]>;
  /** After a result waits no longer: nobody needs to come where nothing critical waits any more. */
  settled(actor: Actor): Promise<readonly Publication[]>;
}

type Deps = Pick<ExaminationDeps, 'calls' | 'discussions'>;

const TITLE = 'Laboratory results';
const BODY = 'A critical laboratory result matches no chat. Find out whose it is, and assign it.';
const BODY_WITHOUT_ASSIGNERS =
  'A critical laboratory result matches no chat, and nobody may assign it. Give somebody a role that puts laboratory results into chats.';

/**
 * Under the feed's lock, before chats and memberships are locked. A critical result that matches no chat is read by nobody unless
 * somebody is called: whoever of those who may assign it holds the role that the facility names, else is on call, else all of
 * them (EXAM-5). Where nobody may, who gives the roles is called. Who left the chat is called again where they are on call, or
 * nobody would be. What is said there names no patient.
 */
export async function holdWaitingCall(
  { calls, discussions }: Deps,
  tx: Transaction,
  facilityId: string,
): Promise<WaitingCall> {
  const feed = await findDiscussion(tx, facilityId);
  const standing = feed.call_message_id === null ? null : await calls.hold(tx, feed.call_message_id);
  const end = async (actor: Actor, note: string) =>
    standing === null || feed.discussion_chat_id === null
      ? []
      : standing.end({ actor, chatId: feed.discussion_chat_id, note });
  return {
    async arrived({ id, report: { title, laboratory, number } }) {
      const assigners = await findPermitted(tx, { facilityId, permission: 'results.assign' });
      const hasAssigners = assigners.length > 0;
      const people = hasAssigners ? assigners : await findPermitted(tx, { facilityId, permission: 'members.manage' });
      const first = await firstOf(tx, { facilityId, people });
      const { discussion_chat_id: known } = feed;
      const isCalledAnyway =
        standing?.isCalling || (!first.areOnCall && (await isAnyoneIn(tx, { chatId: known, people })));
      const said = await discussions.say(tx, {
        ...{ facilityId, chatId: known, title: TITLE, people, returning: isCalledAnyway ? [] : first.people, by: null },
        body: `received a critical result that matches no chat: ${title} (${laboratory}, number ${number})`,
        act: { kind: 'laboratory_result', id },
      });
      if (standing?.isCalling) return said.publish;
      // Who took the call before on may be done with it, and who was called in vain may be there now.
      const ended = await end(SERVER_ACTOR, 'another critical result has come');
      const { chatId } = said;
      const body = hasAssigners ? BODY : BODY_WITHOUT_ASSIGNERS;
      const begun = await calls.begin(tx, { facilityId, chatId, body, first: first.people });
      await tx
        .updateTable('laboratory_feeds')
        .set({ discussion_chat_id: chatId, call_message_id: begun.messageId })
        .where('facility_id', '=', facilityId)
        .execute();
      return [...said.publish, ...ended, ...begun.publish];
    },
    async settled(actor) {
      if (standing === null || (await countUnmatched(tx, facilityId)).critical > 0) return [];
      return end(actor, 'no critical result waits any more');
    },
  };
}

function findDiscussion(tx: DatabaseTransaction, facilityId: string) {
  return tx
    .selectFrom('laboratory_feeds')
    .select(['discussion_chat_id', 'call_message_id'])
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow();
}

interface Permitted {
  readonly facilityId: string;
  readonly people: readonly string[];
}

const shifts = typedRows<{ user_id: string; is_named: boolean }>({ user_id: 'string', is_named: 'boolean' });

interface First {
  readonly people: readonly string[];
  readonly areOnCall: boolean;
}

/** Of these people who holds the role that the facility names, else who is on call there for any, else all of them. */
async function firstOf(tx: DatabaseTransaction, { facilityId, people }: Permitted): Promise<First> {
  const query = sql`
    select s.user_id, s.role_id is not distinct from f.critical_role_id as is_named
    from on_call_shifts s
    join on_call_roles r on r.id = s.role_id and r.retired_at is null
    join laboratory_feeds f on f.facility_id = s.facility_id
    where s.facility_id = ${facilityId} and s.user_id = any(${people}::uuid[]) and s.starts_at <= now() and s.ends_at > now()`;
  const found = await shifts.read(tx, query);
  const named = found.filter(({ is_named }) => is_named);
  const onCall = (named.length > 0 ? named : found).map(({ user_id }) => user_id);
  return onCall.length > 0 ? { people: onCall, areOnCall: true } : { people, areOnCall: false };
}

/** Whether any of them has not left the chat; nobody has one that is yet to be opened. */
async function isAnyoneIn(
  tx: DatabaseTransaction,
  { chatId, people }: { readonly chatId: string | null; readonly people: readonly string[] },
): Promise<boolean> {
  if (chatId === null || people.length === 0) return true;
  const query = tx.selectFrom('chat_participants').select('user_id').where('chat_id', '=', chatId);
  const found = await query.where('user_id', 'in', people).where('left_at', 'is', null).limit(1).executeTakeFirst();
  return found !== undefined;
}

interface Judged {
  readonly facilityId: string;
  readonly timeZone: string;
  readonly report: LaboratoryReport;
  readonly now: Date;
}

/** By the laboratory's flags and our own limits, as far as these hold for a patient of whom only the message is known. */
export async function isCritical(
  tx: DatabaseTransaction,
  { facilityId, timeZone, report, now }: Judged,
): Promise<boolean> {
  const templates = await listTemplateRows(tx, { facilityId, limit: MOST_TEMPLATES });
  const taken = report.observedAt === null ? now.getTime() : Date.parse(report.observedAt);
  const subject = { sex: null, bornOn: report.patient.bornOn, day: dateIn(timeZone, taken) };
  const { form, entries } = laboratoryForm(report, { templates, subject });
  return criticalFindings(form.fields, entries).length > 0;
}
