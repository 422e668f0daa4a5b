import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { findJoined } from './discussion-queries.ts';

interface Reader {
  readonly actor: Actor;
  readonly db: RequestContext['db'] | Transaction;
}

interface Threaded {
  readonly thread_chat_id: string | null;
}

/** A talk is told to those who are in it: to anybody else the way there would lead nowhere. */
export async function withOwnThreads<Row extends Threaded>(
  { actor, db }: Reader,
  rows: readonly Row[],
): Promise<Row[]> {
  const chatIds = rows.flatMap(({ thread_chat_id }) => thread_chat_id ?? []);
  const joined = await findJoined(db, { userId: actor.userId, chatIds });
  return rows.map((row) => ({
    ...row,
    thread_chat_id: joined.has(row.thread_chat_id ?? '') ? row.thread_chat_id : null,
  }));
}

/** The same of one. */
export async function withOwnThread<Row extends Threaded>(ctx: Reader, row: Row): Promise<Row> {
  const [own] = await withOwnThreads(ctx, [row]);
  return own ?? { ...row, thread_chat_id: null };
}
