import { Day, Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { chatChanged, membershipChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange } from '#/features/chat/core/chat-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Write } from '#/platform/http/context.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { correctCounters, findDrift, listChatIds, lockChatIfFree } from './recount-queries.ts';

export const RECOUNT_JOB = 'chat.recount';

const BATCH = 100;
/** By the clock of UTC: in the night of most of its places, and once a day in all. */
const FROM_HOUR = 2;
const KEPT_DAYS = 400;

const Payload = z.object({ day: Day, after: z.nullable(Id) });

interface RecountDeps {
  readonly db: Database;
  readonly log: Log;
}

interface JobDeps {
  readonly publish: Publish;
  /** How many chats one job looks at. */
  readonly batch?: number;
}

/** Begins the recount of this night, unless it was begun: one of all processes does, and asks as often as it likes. */
export async function beginRecount({ db, log }: RecountDeps, now = new Date()): Promise<void> {
  if (now.getUTCHours() < FROM_HOUR) return;
  const day = now.toISOString().slice(0, 10);
  await createJobWrite({ db, log, jobId: `recount ${newId()}` })('chat.recount', async (tx) => {
    const begun = await tx
      .insertInto('chat_recounts')
      .values({ day })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .returning('day')
      .executeTakeFirst();
    if (!begun) return { result: undefined, audit: null };
    await sql`delete from chat_recounts where day < ${day}::date - ${KEPT_DAYS}::integer`.execute(tx);
    await enqueueJob(tx, { kind: RECOUNT_JOB, payload: { day, after: null } });
    return { result: undefined, audit: null };
  });
}

/**
 * Counts anew, for some chats, what the badges of their people show, and goes on with the next ones. What does not agree is said in
 * the log and in the audit of its facility, and put right; it must be nothing (CHAT-5).
 */
export function recountChats({ publish, batch = BATCH }: JobDeps): JobHandler {
  return async (payload, context) => {
    const { day, after } = Payload.parse(payload);
    const { db, log } = context;
    const write = createJobWrite(context, publish);
    const chatIds = await listChatIds(db, after, batch);
    for (const chatId of await findDrift(db, chatIds)) await correctChat(write, { chatId, day, log });
    await noteBatch(write, { day, after, chatIds, isDone: chatIds.length < batch });
  };
}

interface Looked {
  readonly day: string;
  readonly after: string | null;
  readonly chatIds: readonly string[];
  readonly isDone: boolean;
}

/** Says how far it has got and goes on; not where this has been done before, since the next job is there already. */
async function noteBatch(write: Write, { day, after, chatIds, isDone }: Looked): Promise<void> {
  const last = chatIds.at(-1) ?? after;
  await write('chat.recount', async (tx) => {
    const noted = await tx
      .updateTable('chat_recounts')
      .set((row) => ({
        chats: row('chats', '+', chatIds.length),
        after_chat: last,
        ...(isDone && { finished_at: sql<Date>`now()` }),
      }))
      .where('day', '=', day)
      .where('after_chat', 'is not distinct from', after)
      .where('finished_at', 'is', null)
      .returning('chats')
      .executeTakeFirst();
    if (!noted || isDone) return { result: undefined, audit: null };
    await enqueueJob(tx, { kind: RECOUNT_JOB, payload: { day, after: last } });
    return { result: undefined, audit: null };
  });
}

interface Correction {
  readonly chatId: string;
  readonly day: string;
  readonly log: Log;
}

async function correctChat(write: Write, { chatId, day, log }: Correction): Promise<void> {
  await write('chat.recount', async (tx) => {
    const facilityId = await lockChatIfFree(tx, chatId);
    if (facilityId === null) return { result: undefined, audit: null };
    const { userIds, ...drift } = await correctCounters(tx, chatId);
    const { unread, mentions, urgent } = drift;
    if (unread + mentions + urgent === 0) return { result: undefined, audit: null };
    await tx
      .updateTable('chat_recounts')
      .set((row) => ({
        unread: row('unread', '+', unread),
        mentions: row('mentions', '+', mentions),
        urgent: row('urgent', '+', urgent),
      }))
      .where('day', '=', day)
      .execute();
    log.error({ facility: facilityId, chat: chatId, ...drift }, 'the badges of a chat did not agree with its messages');
    const change = { facility_id: facilityId, chat_id: chatId, change: 'changed' } as const;
    return {
      result: undefined,
      audit: { facilityId, objectType: 'chat', objectId: chatId, detail: drift },
      publish: [
        ...userIds.map((userId) => membershipChanged(userId, change)),
        ...(urgent > 0 ? chatChanged(await loadChatChange(tx, chatId)) : []),
      ],
    };
  });
}

/** How many numbers the newest recount found wrong, for who looks after the installation; it must be 0. */
export async function countWrongBadges(db: Database): Promise<number> {
  const last = await db
    .selectFrom('chat_recounts')
    .select(['unread', 'mentions', 'urgent'])
    .orderBy('day', 'desc')
    .executeTakeFirst();
  return last === undefined ? 0 : last.unread + last.mentions + last.urgent;
}
