import { sql } from 'kysely';
import { appendLog } from '#/features/census/core/append-log.ts';
import { type ClockDeps, eachByItself, holdFacility } from '#/features/census/core/clock-job.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { remains } from './verification-queries.ts';

const AT_ONCE = 20;

const NOTHING = '00'.repeat(32);

/** Entries whose text one run removes; a longer backlog goes on at the next tick. */
const MOST_AT_ONCE = 5_000;

/**
 * Removes the texts of entries that are older than their facility keeps them: whole days, hence once a night. The numbers and
 * hashes stay, and the log says how many lost their text.
 */
export async function redactOldLog(parts: ClockDeps): Promise<void> {
  await eachByItself(parts, await findFacilitiesToRedact(parts.db), (facility) => redactLog(parts, facility));
}

async function redactLog({ write, author }: ClockDeps, { facility_no, facility_id }: FacilityToRedact): Promise<void> {
  await write('census.log.redact', async (tx) => {
    if (!(await holdFacility(tx, facility_no))) return { result: undefined, audit: null };
    const done = await redactOldest(tx, { facilityNo: facility_no, most: MOST_AT_ONCE });
    if (!done) return { result: undefined, audit: null };
    await appendLog(tx, { facilityNo: facility_no, author, entries: [{ action: 'log.redact', after: { ...done } }] });
    const { entries, up_to_seq, to } = done;
    return {
      result: undefined,
      audit: { facilityId: facility_id, objectType: 'census_log', detail: { entries, up_to_seq, to } },
    };
  });
}

/** A facility whose log holds texts that are older than it keeps them. */
interface FacilityToRedact {
  readonly facility_no: number;
  readonly facility_id: string;
}

/** The oldest entry with its text is looked at, one for each facility. */
async function findFacilitiesToRedact(db: Database): Promise<FacilityToRedact[]> {
  const found = await sql<FacilityToRedact>`
    select c.facility_no, c.facility_id
    from census_facilities c join facilities f on f.id = c.facility_id and f.deactivated_at is null
    join census_log_heads h on h.facility_no = c.facility_no
    join census_log l on l.facility_no = c.facility_no and l.seq = h.redacted_seq + 1
    where c.log_retention_years is not null and l.at < census_log_keeps_from(c.facility_no)
    order by c.facility_no limit ${AT_ONCE}`.execute(db);
  return found.rows;
}

/** What one run removed. */
interface Redaction {
  readonly entries: number;
  readonly up_to_seq: number;
  /** The last day of which a text was removed, on the facility's clock. */
  readonly to: string;
  readonly years: number;
  /** Over what is left of everything that was removed so far; see {@link remains}. */
  readonly digest: string;
}

/**
 * Removes the oldest texts that the facility does not keep any more, at most so many. The first that it keeps ends it, also
 * where a clock once went backwards. The head must be held.
 */
async function redactOldest(
  tx: DatabaseTransaction,
  { facilityNo, most }: { facilityNo: number; most: number },
): Promise<Redaction | null> {
  const before = await findNewestDigest(tx, facilityNo);
  const found = await sql<{ last: number }>`
    select max(seq) as last from (
      select l.seq, bool_and(l.at < census_log_keeps_from(${facilityNo})) over (order by l.seq) as is_old
      from (select seq, at from census_log where facility_no = ${facilityNo}
        and seq > (select redacted_seq from census_log_heads where facility_no = ${facilityNo})
        order by seq limit ${most}) l) walked
    where is_old having max(seq) is not null`.execute(tx);
  const [oldest] = found.rows;
  if (!oldest) return null;
  await sql`select redact_census_log(${facilityNo}, ${oldest.last})`.execute(tx);
  const done = await sql<Redaction>`
    select count(*) as entries, max(l.seq) as up_to_seq, max((l.at at time zone f.time_zone)::date) as to,
      c.log_retention_years as years, encode(sha256(decode(${before}, 'hex') || ${remains}), 'hex') as digest
    from census_log l
    join census_facilities c on c.facility_no = l.facility_no join facilities f on f.id = c.facility_id
    where l.facility_no = ${facilityNo} and l.seq <= ${oldest.last} and l.redacted_at = now()
    group by c.log_retention_years`.execute(tx);
  return done.rows[0] ?? null;
}

/** Over all runs before. The newest of their entries is always young enough to have its text. */
async function findNewestDigest(tx: DatabaseTransaction, facilityNo: number): Promise<string> {
  const found = await sql<{ digest: string | null }>`
    select case when entry is json object then entry::jsonb -> 'after' ->> 'digest' end as digest from census_log
    where facility_no = ${facilityNo} and action = 'log.redact' order by seq desc limit 1`.execute(tx);
  return found.rows[0]?.digest ?? NOTHING;
}
