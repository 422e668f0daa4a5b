import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/**
 * The digest over what one run left of its entries: numbers, hashes, tombstones and what they are found by. The log keeps it,
 * folded over all runs, so that nobody can change what no text is left to prove.
 */
export const remains = sql`sha256(string_agg(sha256(convert_to(jsonb_build_array(l.seq, extract(epoch from l.at), l.action,
  l.outcome, l.unit_no, l.census_date - date '2000-01-01', l.class, l.after_approval, l.has_reason, l.entry,
  encode(l.prev_hash, 'hex'), encode(l.hash, 'hex'), extract(epoch from l.redacted_at))::text, 'UTF8')), ''::bytea
  order by l.seq))`;

type Queryable = Database | DatabaseTransaction;

export interface Walk {
  readonly entries: number;
  readonly head_seq: number;
  readonly head_hash: Buffer;
  readonly broken_at: number | null;
}

export interface StoredVerification extends Walk {
  readonly verified_at: Date;
  readonly took_ms: number;
}

/** The last verification of a facility's log. */
export async function findVerification(db: Queryable, facilityNo: number): Promise<StoredVerification | undefined> {
  const found = await sql<StoredVerification>`
    select verified_at, entries, took_ms, head_seq, head_hash, broken_at
    from census_log_verifications where facility_no = ${facilityNo}`.execute(db);
  return found.rows[0];
}

export async function findHead(db: Queryable, facilityNo: number): Promise<{ seq: number; hash: Buffer }> {
  const found = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from census_log_heads where facility_no = ${facilityNo}`.execute(db);
  const [head] = found.rows;
  if (!head) throw new Error('the facility has no census log');
  return head;
}

/** Heads that the sheets of signed days carried outside, the newest first. */
export async function findKeptOutside(
  db: Queryable,
  facilityNo: number,
): Promise<{ census_date: string; seq: number; hash: Buffer; at: Date }[]> {
  const found = await sql<{ census_date: string; seq: number; hash: Buffer; at: Date }>`
    select census_date, log_seq as seq, log_hash as hash, signed_at as at from facility_days
    where facility_no = ${facilityNo} and log_seq is not null and log_hash is not null and signed_at is not null
    order by signed_at desc, census_date desc limit 5`.execute(db);
  return found.rows;
}
