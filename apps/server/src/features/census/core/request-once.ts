import { createHash } from 'node:crypto';
import { AppError } from '#/platform/http/app-error.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { canonicalJson } from './append-log.ts';
import { noteRequest } from './config-queries.ts';

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
