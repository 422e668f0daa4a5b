import { Id } from '@wardline/contract/values.ts';

/** Where a device has got in what changed for its user; opaque outside. See docs/decisions/006-sync-cursor-and-seq.md */
export interface SyncCursor {
  /** The database it came from. */
  readonly installation: string;
  /** Every transaction before this one was seen; null while everything is being read. */
  readonly since: bigint | null;
  /** While pages follow each other: what `since` becomes after the last, and the last chat of the page before. */
  readonly paging: { readonly until: bigint; readonly after: string } | null;
}

const XID = /^\d{1,19}$/;

export function encodeSyncCursor({ installation, since, paging }: SyncCursor): string {
  const parts = [installation, since ?? '', paging?.until ?? '', paging?.after ?? ''];
  return Buffer.from(parts.join(' ')).toString('base64url');
}

/** Null for what this server did not make: the device then starts anew. */
export function decodeSyncCursor(cursor: string): SyncCursor | null {
  const parts = Buffer.from(cursor, 'base64url').toString().split(' ');
  const [installation = '', since = '', until = '', after = ''] = parts;
  const isPaging = until !== '';
  const isOurs =
    parts.length === 4 &&
    isId(installation) &&
    (since === '' ? isPaging : XID.test(since)) &&
    (isPaging ? XID.test(until) && isId(after) : after === '');
  if (!isOurs) return null;
  return {
    installation,
    since: since === '' ? null : BigInt(since),
    paging: isPaging ? { until: BigInt(until), after } : null,
  };
}

function isId(text: string): boolean {
  return Id.safeParse(text).success;
}
