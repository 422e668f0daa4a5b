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
  /** The first day of which what was signed is not what the log tells of. */
  readonly changed_day: string | null;
}

const LONGEST_WALK_MS = 60_000;

const BLANKS =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** An entry as its text says it; nothing of one that is not what its hash is over, which may say anything. */
const said = sql`json_to_record(case when l.is_hashed then l.entry::json else '{}' end) as s(facility integer, seq bigint,
  at timestamptz, actor_id uuid, action text, outcome text, unit_id uuid, census_date date, class text, after_approval boolean,
  reason text)`;

/** Whether an entry says what the columns beside it say. A reason is one when it has more than blanks, as JavaScript trims. */
const isSame = (facilityNo: number) => sql`(
  s.facility = ${facilityNo} and s.seq = l.seq and s.at = l.at and s.actor_id is not distinct from l.actor_id
    and s.action = l.action and s.outcome = l.outcome and s.unit_id is not distinct from coalesce(u.unit_id, d.unit_id)
    and s.census_date is not distinct from l.census_date and s.class is not distinct from l.class::text
    and s.after_approval = l.after_approval and (coalesce(btrim(s.reason, ${BLANKS}), '') <> '') = l.has_reason)`;

/**
 * Whether an entry without its text is left as it may be: the tombstone of that very entry, nobody beside it, and old enough
 * for the years it says (a day aside: those years were counted on the facility's clock).
 */
const isTombstone = (facilityNo: number) => sql`(
  select l.entry = census_log_tombstone(${facilityNo}, l.seq, t.years) and l.actor_id is null and t.years > 0
    and l.at + make_interval(years => t.years) < l.redacted_at + interval '1 day' and l.redacted_at <= now()
  from (select substring(l.entry from '"redacted_after_years":([0-9]{1,3}),')::integer as years) t)`;

/**
 * What the newest entry that tells of a removal says of all of them so far. Its own text is walked like every other.
 */
const told = (facilityNo: number) => sql`
  select l.seq, (l.entry::jsonb -> 'after' ->> 'up_to_seq')::bigint as up_to, l.entry::jsonb -> 'after' ->> 'digest' as digest
  from census_log l
  where l.facility_no = ${facilityNo} and l.action = 'log.redact' and l.redacted_at is null and l.entry is json object
  order by l.seq desc limit 1`;

/** The same as it is: the digests of what each run left, one folded over the other. */
const left = (facilityNo: number) => sql`
  with recursive runs as (
    select row_number() over (order by min(l.seq)) as n, ${remains} as digest from census_log l
    where l.facility_no = ${facilityNo} and l.redacted_at is not null group by l.redacted_at),
  folded as (
    select 0::bigint as n, decode(repeat('00', 32), 'hex') as digest
    union all select r.n, sha256(f.digest || r.digest) from folded f join runs r on r.n = f.n + 1)
  select encode(digest, 'hex') as digest from folded order by n desc limit 1`;

/**
 * Signatures whose figures are not what their entry tells the hash of, are gone, or of which the log does not tell. Where the
 * text of the entry was removed for its age, only that the figures fit the hash beside them can be looked at.
 */
const changedSignatures = (facilityNo: number) => sql`
  select coalesce(s.log_seq, l.seq) as seq, coalesce(s.census_date, l.census_date) as census_date
  from (select * from signed_days where facility_no = ${facilityNo}) s
  full join (
    select seq, census_date, redacted_at is not null as is_redacted,
      case when redacted_at is null and entry is json object then entry::jsonb -> 'after' ->> 'figures_hash' end as told
    from census_log where facility_no = ${facilityNo} and action = 'facility_day.sign' and outcome = 'done') l
  on l.seq = s.log_seq
  where (s.log_seq is null and l.told is not null)
    or (s.log_seq is not null and (
      sha256(convert_to(s.figures, 'UTF8')) <> s.hash or l.seq is null or l.census_date is distinct from s.census_date
      or (not l.is_redacted and l.told is distinct from encode(s.hash, 'hex'))))`;

/**
 * Walks the whole chain of a facility in one statement, hence over one moment of it. Broken is the first number that is
 * missing or whose entry does not follow the one before, is not what its hash is over, says something else than the columns
 * beside it, is not what a signed day's sheet carried outside, or tells of figures that are not those that were signed; and the
 * number after the last where the head says otherwise.
 * Of an entry whose text was removed the hashes are walked; one that was too young, or of whose removal the log does not tell,
 * is broken, and so is the entry that tells of removals where it is not of those that happened.
 */
export async function walkChain(tx: DatabaseTransaction, facilityNo: number): Promise<Walk> {
  // What is put in order is the hashes without the entries: a hundred thousand of them have room. Each entry is looked at by
  // itself, which all cores may do, however few rows the planner expects.
  await sql`
    select set_config('statement_timeout', ${String(LONGEST_WALK_MS)}, true), set_config('work_mem', '32MB', true),
      set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`.execute(tx);
  const found = await sql<Walk>`
    with read as materialized (
      select l.seq, l.prev_hash, l.hash, l.redacted_at is not null as is_redacted, case
        when l.redacted_at is not null then coalesce(${isTombstone(facilityNo)}, false)
        else l.is_hashed and coalesce(${isSame(facilityNo)}, false) end as is_true
      from (
        select *, redacted_at is null and entry is json object
          and hash = sha256(prev_hash || convert_to(entry, 'UTF8')) as is_hashed
        from census_log where facility_no = ${facilityNo}) l
      left join census_units u on u.unit_no = l.unit_no left join deleted_units d on d.unit_no = l.unit_no
      cross join lateral ${said}),
    walked as (
      select *, lag(seq, 1, 0::bigint) over w as seq_before,
        lag(hash, 1, decode(repeat('00', 32), 'hex')) over w as hash_before
      from read window w as (order by seq)),
    checked as (
      select seq, hash, is_redacted, case
        when seq <> seq_before + 1 then seq_before + 1
        when prev_hash <> hash_before or not is_true then seq end as broken
      from walked),
    told as (${told(facilityNo)}),
    changed as materialized (${changedSignatures(facilityNo)}),
    whole as (
      select count(*) as entries, coalesce(max(seq), 0) as last, min(broken) as broken from checked)
    select w.entries, h.seq as head_seq, h.hash as head_hash, least(
      w.broken,
      case when h.seq <> w.last then least(h.seq, w.last) + 1 end,
      case when h.seq = w.last and h.hash <>
        coalesce((select c.hash from checked c where c.seq = h.seq), decode(repeat('00', 32), 'hex')) then h.seq end,
      (select min(c.seq) from checked c where c.is_redacted and c.seq > coalesce((select t.up_to from told t), 0)),
      (select t.seq from told t where t.digest is distinct from (${left(facilityNo)})),
      (select min(d.log_seq) from facility_days d left join checked c on c.seq = d.log_seq
        where d.facility_no = ${facilityNo} and d.log_seq > 0 and d.log_hash is distinct from c.hash),
      (select min(x.seq) from changed x)
    ) as broken_at, (select x.census_date from changed x order by x.seq limit 1) as changed_day
    from whole w cross join census_log_heads h where h.facility_no = ${facilityNo}`.execute(tx);
  const [walk] = found.rows;
  if (!walk) throw new Error('the facility has no census log');
  return walk;
}

export interface StoredVerification extends Walk {
  readonly verified_at: Date;
  readonly took_ms: number;
}

export async function storeVerification(
  tx: DatabaseTransaction,
  { facilityNo, ...found }: StoredVerification & { facilityNo: number },
): Promise<void> {
  await tx
    .insertInto('census_log_verifications')
    .values({ facility_no: facilityNo, ...found })
    .onConflict((conflict) => conflict.column('facility_no').doUpdateSet(found))
    .execute();
}

/** The last verification of a facility's log. */
export async function findVerification(db: Queryable, facilityNo: number): Promise<StoredVerification | undefined> {
  const found = await sql<StoredVerification>`
    select verified_at, entries, took_ms, head_seq, head_hash, broken_at, changed_day
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

export interface KeptHead {
  readonly census_date: string;
  readonly seq: number;
  readonly hash: Buffer;
  readonly at: Date;
  readonly is_printed: boolean;
  readonly is_mailed: boolean;
}

/** So many prints are looked through for those of signed days. */
const MOST_PRINTS = 500;

/**
 * Heads of signed days that have left the house since they were signed: on a sheet that somebody printed (one of a period carries
 * the head of its newest counted day), or in a mail that was sent. The newest first.
 */
export async function findKeptOutside(db: Queryable, facilityNo: number): Promise<KeptHead[]> {
  const found = await sql<KeptHead>`
    with prints as (
      select seq, at, (said -> 'after' ->> 'from')::date as first, (said -> 'after' ->> 'to')::date as last
      from (
        select seq, at, case when entry is json object then entry::jsonb end as said from census_log
        where facility_no = ${facilityNo} and action = 'print' and outcome = 'done' and redacted_at is null
        order by seq desc limit ${MOST_PRINTS}) l),
    printed as (
      select p.seq, (
        select max(x.census_date) from facility_days x
        where x.facility_no = ${facilityNo} and x.census_date between p.first and p.last and x.census_at <= p.at) as census_date
      from prints p),
    heads as (
      select d.census_date, d.log_seq as seq, d.log_hash as hash, d.signed_at as at,
        exists (select from printed p where p.census_date = d.census_date and p.seq > d.log_seq) as is_printed,
        coalesce(d.log_mailed_seq = d.log_seq, false) as is_mailed
      from facility_days d
      where d.facility_no = ${facilityNo} and d.log_seq is not null and d.log_hash is not null and d.signed_at is not null)
    select * from heads where is_printed or is_mailed order by at desc, census_date desc limit 5`.execute(db);
  return found.rows;
}
