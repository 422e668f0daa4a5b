import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { canonicalJson } from './append-log.ts';

interface Request {
  readonly userId: string;
  readonly endpoint: string;
  readonly params: object;
  readonly body: { readonly client_id: string };
}

/**
 * Notes the request in the transaction of what it does. True for one that was done before: the caller then answers with what
 * is stored and changes nothing. Throws client_id_reused when the id stood for something else.
 */
export async function isRepeat(tx: Transaction, { userId, endpoint, params, body }: Request): Promise<boolean> {
  const { client_id: clientId, ...rest } = body;
  const said = canonicalJson({ endpoint, params, body: { ...rest, device_time: undefined } });
  const outcome = await noteRequest(tx, { userId, clientId, hash: createHash('sha256').update(said).digest() });
  if (outcome === 'reused') throw new AppError('client_id_reused');
  return outcome === 'repeat';
}

/** Whether this request is new (then it is noted), the same as one before, or another one under an id that was used. */
async function noteRequest(
  tx: DatabaseTransaction,
  { userId, clientId, hash }: { userId: string; clientId: string; hash: Buffer },
): Promise<'new' | 'repeat' | 'reused'> {
  const noted = await sql`
    insert into census_requests (user_id, client_id, request_hash) values (${userId}, ${clientId}, ${hash})
    on conflict do nothing returning 1`.execute(tx);
  if (noted.rows.length > 0) return 'new';
  const found = await sql<{ is_same: boolean }>`
    select request_hash = ${hash} as is_same from census_requests
    where user_id = ${userId} and client_id = ${clientId}`.execute(tx);
  return found.rows[0]?.is_same ? 'repeat' : 'reused';
}
