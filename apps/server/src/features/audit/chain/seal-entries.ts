import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type AuditHead, isSigned, signHead } from './head-signature.ts';

const AT_ONCE = 1_000;

/** Where the chain does not end where a server left it: whoever changed it could have every hash made anew. */
export class ForeignHead extends Error {}

/**
 * Gives every entry that waits its place in the chain, in the order of their numbers; any number of processes may do it. Only
 * goes on from an end that a server has signed. Resolves to how many.
 */
export async function sealEntries(db: Database, appKey: Buffer): Promise<number> {
  let all = 0;
  // Where nothing waits nothing is locked: a quiet night writes nothing.
  while (await isWaited(db)) {
    const sealed = await db.transaction().execute((tx) => sealSome(tx, appKey));
    all += sealed;
    if (sealed < AT_ONCE) break;
  }
  return all;
}

async function isWaited(db: Database): Promise<boolean> {
  const found = await db.selectFrom('audit_pending').select('entry_id').limit(1).execute();
  return found.length > 0;
}

const sealing = typedRows<{ sealed: number }>({ sealed: 'number' });

async function sealSome(tx: DatabaseTransaction, appKey: Buffer): Promise<number> {
  const head = await lockHead(tx);
  if (!isSigned(appKey, head)) throw new ForeignHead('the end of the audit was changed past the server');
  const found = await sealing.first(tx, sql`select seal_audit(${AT_ONCE}) as sealed`);
  const sealed = found?.sealed ?? 0;
  if (sealed > 0) await signNow(tx, appKey);
  return sealed;
}

/** Signs the end of the chain as it is, whoever left it there: for an operator who has looked into it, or lost the key. */
export async function acceptHead(db: Database, appKey: Buffer): Promise<AuditHead> {
  return db.transaction().execute((tx) => signNow(tx, appKey));
}

async function signNow(tx: DatabaseTransaction, appKey: Buffer): Promise<AuditHead> {
  const head = await lockHead(tx);
  const mac = signHead(appKey, head);
  if (head.seq > 0) await sql`select sign_audit_head(${head.seq}::bigint, ${mac}::bytea)`.execute(tx);
  return { ...head, mac };
}

const heads = typedRows<{ seq: number; hash: Buffer; mac: Buffer | null }>({
  ...{ seq: 'number', hash: 'buffer', mac: 'buffer?' },
});

async function lockHead(tx: DatabaseTransaction): Promise<AuditHead> {
  const head = await heads.first(tx, sql`select seq, hash, mac from lock_audit_head()`);
  if (!head) throw new ForeignHead('the end of the audit was removed');
  return head;
}

/** The end of the chain now. */
export async function readHead(db: Database): Promise<AuditHead> {
  const head = await heads.first(db, sql`select seq, hash, mac from audit_head`);
  if (!head) throw new ForeignHead('the end of the audit was removed');
  return head;
}
