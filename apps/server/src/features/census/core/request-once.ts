import { createHash } from 'node:crypto';
import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import { sql } from 'kysely';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
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
export async function isRepeat(tx: Transaction, request: Request): Promise<boolean> {
  const noted = toNoted(request);
  if (await noteRequest(tx, noted)) return false;
  return wasDone(tx, noted);
}

/** The same without noting it, for what looks before it does. */
export function isKnownRepeat(db: RequestContext['db'] | Transaction, request: Request): Promise<boolean> {
  return wasDone(db, toNoted(request));
}

interface NotedRequest {
  readonly userId: string;
  readonly clientId: string;
  readonly hash: Buffer;
}

function toNoted({ userId, endpoint, params, body }: Request): NotedRequest {
  const { client_id: clientId, ...rest } = body;
  // By the stored names: a device may repeat what it sent to a build before these.
  const said = canonicalJson(toStoredNames({ endpoint, params, body: { ...rest, device_time: undefined } }));
  return { userId, clientId, hash: createHash('sha256').update(said).digest() };
}

/** False where the person has used the id before. */
async function noteRequest(tx: Transaction, { userId, clientId, hash }: NotedRequest): Promise<boolean> {
  const noted = await sql`
    insert into census_requests (user_id, client_id, request_hash) values (${userId}, ${clientId}, ${hash})
    on conflict do nothing returning 1`.execute(tx);
  return noted.rows.length > 0;
}

async function wasDone(
  db: RequestContext['db'] | Transaction,
  { userId, clientId, hash }: NotedRequest,
): Promise<boolean> {
  const found = await sql<{ is_same: boolean }>`
    select request_hash = ${hash} as is_same from census_requests
    where user_id = ${userId} and client_id = ${clientId}`.execute(db);
  const [known] = found.rows;
  if (known?.is_same === false) throw new AppError('client_id_reused');
  return known !== undefined;
}
