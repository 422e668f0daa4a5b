import { CHAT_KINDS } from '@wardline/contract/chat/chat.ts';
import type { RetentionRule } from '@wardline/contract/chat/records.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { enqueueRemoval } from '#/features/chat/attachments/remove-attachments.ts';
import { chatChanged, messagesChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import type { Database } from '#/platform/db/database.ts';
import { isLockTimeout } from '#/platform/db/sql-state.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Write } from '#/platform/http/context.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import { dueChats, isOlderThan, loadRule, nextNight } from './retention-rules.ts';

export const RETENTION_JOB = 'chat.retention.run';

const Totals = z.object({ chats: z.int(), messages: z.int(), files: z.int(), busy: z.int() });
type Totals = z.infer<typeof Totals>;

/** Where a run is: past a chat of a kind. Losing it costs another look, and deletes nothing twice. */
const Payload = z.object({
  facility: Id,
  kind: z.enum(CHAT_KINDS),
  after: z.nullable(Id),
  /** The chat in whose middle the last slice ended: it is counted already. */
  within: z.optional(z.nullable(Id)),
  totals: Totals,
});
type Place = z.infer<typeof Payload>;

const NOTHING: Totals = { chats: 0, messages: 0, files: 0, busy: 0 };
const [FIRST_KIND] = CHAT_KINDS;

/** What one transaction looks through: a send of the same chat waits for no more than that. */
const MESSAGES_AT_ONCE = 500;
const CHATS_AT_ONCE = 100;
/** A job has two minutes; what is left goes on in the next. */
const SLICE_MS = 45_000;

interface RunDeps {
  readonly publish: Publish;
}

/** Begins the runs whose night has come, each once on any number of servers. */
export async function startDueRetention({
  db,
  log,
}: Pick<Parameters<typeof createJobWrite>[0], 'db' | 'log'>): Promise<void> {
  const write = createJobWrite({ db, log, jobId: RETENTION_JOB });
  await write('retention.run', async (tx) => {
    const due = await tx
      .selectFrom('retention_policies')
      .select('facility_id')
      .where('next_run_at', '<=', sql<Date>`now()`)
      .where('facility_id', 'in', (eb) => eb.selectFrom('facilities').select('id').where('deactivated_at', 'is', null))
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { facility_id: facility } of due) {
      await sql`update retention_policies set next_run_at = ${nextNight(facility)} where facility_id = ${facility}`.execute(
        tx,
      );
      const payload: Place = { facility, kind: FIRST_KIND, after: null, totals: NOTHING };
      await enqueueJob(tx, { kind: RETENTION_JOB, payload });
    }
    return { result: undefined, audit: null };
  });
}

/**
 * Empties what is older than its facility keeps it, chat by chat. It may end at any moment and be run again: each step is a transaction
 * that leaves everything true, and what was emptied is passed over.
 */
export function runRetention({ publish }: RunDeps): JobHandler {
  return async (payload, context) => {
    const write = createJobWrite(context, publish);
    const stopAt = Date.now() + SLICE_MS;
    let place = Payload.parse(payload);
    for (const kind of CHAT_KINDS.slice(CHAT_KINDS.indexOf(place.kind))) {
      if (kind !== place.kind) place = { ...place, kind, after: null };
      place = await expireKind({ db: context.db, write, stopAt }, place);
      if (Date.now() > stopAt) {
        await write('retention.run', async (tx) => {
          await enqueueJob(tx, { kind: RETENTION_JOB, payload: place });
          return { result: undefined, audit: null };
        });
        return;
      }
    }
    const { facility: facilityId, totals: detail } = place;
    await write('retention.run', async () => ({
      result: undefined,
      audit: { facilityId, objectType: 'facility', objectId: facilityId, detail },
    }));
  };
}

interface Running {
  readonly db: Database;
  readonly write: Write;
  /** When the slice is over. */
  readonly stopAt: number;
}

/** The chats of a kind from a place on, to the last or to the end of the slice; where it has got to. */
async function expireKind(running: Running, from: Place): Promise<Place> {
  let place = from;
  for (;;) {
    const found = await readDueChats(running.db, place);
    for (const chat of found) {
      const done = await expireChat(running, place, chat);
      place = pastChat(place, chat.id, done);
      if (Date.now() > running.stopAt) return place;
    }
    if (found.length < CHATS_AT_ONCE) return place;
  }
}

/** Where a run is after a chat, with what was done in it; one that goes on in the next slice is counted once. */
function pastChat(place: Place, chatId: string, done: Awaited<ReturnType<typeof expireChat>>): Place {
  const { chats, messages, files, busy } = place.totals;
  const isCounted = place.within === chatId;
  const isTouched = isCounted || done.messages > 0;
  return {
    ...place,
    after: done.isWhole ? chatId : place.after,
    within: isTouched ? chatId : null,
    totals: {
      chats: chats + (isTouched && !isCounted ? 1 : 0),
      messages: messages + done.messages,
      files: files + done.files,
      busy: busy + (done.isBusy ? 1 : 0),
    },
  };
}

interface DueChat {
  readonly id: string;
  readonly expired_seq: number;
}
const due = typedRows<DueChat>({ id: 'string', expired_seq: 'number' });

/** None where the rule of their kind is not in force. */
async function readDueChats(db: Database, { facility, kind, after }: Place): Promise<DueChat[]> {
  const rule = await ruleInForce(db, facility, kind);
  if (rule === null) return [];
  return due.read(
    db,
    sql`
      select c.id, c.expired_seq from ${dueChats(facility, rule)} and ${after === null ? sql`true` : sql`c.id > ${after}`}
      order by c.id limit ${CHATS_AT_ONCE}`,
  );
}

/** Null also while the facility is deactivated: nothing of it is deleted. */
async function ruleInForce(db: Parameters<typeof loadRule>[0], facilityId: string, kind: RetentionRule['kind']) {
  const place = db.selectFrom('facilities').select('deactivated_at').where('id', '=', facilityId);
  if ((await place.executeTakeFirst())?.deactivated_at !== null) return null;
  const { days, mode, effective_at } = await loadRule(db, facilityId, kind);
  return days === null || Date.parse(effective_at) > Date.now() ? null : { kind, mode, days };
}

/** One chat, in steps; `isWhole` unless the slice ended first. Where somebody holds the chat, its turn comes another night. */
async function expireChat({ write, stopAt }: Running, place: Place, chat: DueChat) {
  let [seq, messages, files] = [chat.expired_seq, 0, 0];
  try {
    while (Date.now() <= stopAt) {
      const step = await expireStep(write, { ...place, chatId: chat.id, seq });
      if (step === null) return { messages, files, isWhole: true, isBusy: false };
      seq = step.looked_to;
      messages += step.expired;
      files += step.files.length;
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return { messages, files, isWhole: true, isBusy: true };
  }
  return { messages, files, isWhole: false, isBusy: false };
}

interface Step {
  readonly looked_to: number | null;
  readonly expired: number;
  readonly waiting: number;
  readonly files: readonly string[];
}
const steps = typedRows<Step>({ looked_to: 'number?', expired: 'number', waiting: 'number', files: 'array' });

/** The next messages past a seq, by the rule and the holds as they are now; null where nothing more is old enough. */
async function expireStep(
  write: Write,
  { facility: facilityId, kind, chatId, seq }: Pick<Place, 'facility' | 'kind'> & { chatId: string; seq: number },
): Promise<(Step & { readonly looked_to: number }) | null> {
  return write('retention.expire', async (tx) => {
    await sql`set local lock_timeout = '500ms'`.execute(tx);
    await lockRetentionPolicy(tx, facilityId, 'share');
    const rule = await ruleInForce(tx, facilityId, kind);
    if (rule === null) return { result: null, audit: null };
    await lockChat(tx, chatId);
    const { days, mode } = rule;
    const step = await steps.first(
      tx,
      sql`
        select * from expire_messages(${chatId}::uuid, ${seq}::bigint, ${isOlderThan(days)}, ${mode === 'delete_exported'},
          ${`Deleted after ${days} days`}, ${MESSAGES_AT_ONCE})`,
    );
    if (!step || step.looked_to === null) return { result: null, audit: null };
    const result = { ...step, looked_to: step.looked_to };
    if (step.expired === 0) return { result, audit: null };
    await enqueueRemoval(tx, step.files);
    const change = await loadChatChange(tx, chatId);
    return {
      result,
      audit: {
        ...{ facilityId, objectType: 'chat', objectId: chatId },
        detail: {
          messages: step.expired,
          files: step.files.length,
          waiting: step.waiting,
          from: seq + 1,
          to: result.looked_to,
          days,
        },
      },
      publish: [...messagesChanged(change), ...(change.last_message?.is_expired ? chatChanged(change) : [])],
    };
  });
}
