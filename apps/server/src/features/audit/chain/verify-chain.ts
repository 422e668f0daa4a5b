import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { isSigned } from './head-signature.ts';
import { digestOf } from './redact-entries.ts';
import { readHead } from './seal-entries.ts';

/** What is wrong with the audit, at which place of the chain and with which entry. */
export interface Tampering {
  readonly what: 'changed' | 'removed' | 'inserted' | 'end';
  /** Null for what is not in the chain. */
  readonly seq: number | null;
  readonly entryId: number | null;
}

export interface Verification {
  /** How many entries stand in the chain, and how many wait for their place. */
  readonly entries: number;
  readonly waiting: number;
  readonly head: { readonly seq: number; readonly hash: string };
  /** The first of them; none where the audit is whole. */
  readonly tamperings: readonly Tampering[];
}

/** An end of the chain that was kept outside, such as in a mail. */
export interface KeptHead {
  readonly seq: number;
  readonly hash: string;
}

interface Question {
  readonly appKey: Buffer;
  readonly kept?: readonly KeptHead[];
}

const MOST_NAMED = 50;
const AT_ONCE = 20_000;
/** An entry is chained within seconds of its transaction, which cannot last so long. */
const LATE = sql`interval '15 minutes'`;

/** Walks the whole chain over one moment of it and names what was changed, removed or put in, whoever did it. */
export async function verifyChain(db: Database, { appKey, kept = [] }: Question): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
        tx,
      );
      const head = await readHead(tx);
      const walked = await walk(tx, head.seq);
      const tamperings = [
        ...walked.tamperings,
        ...(await read(tx, OUTSIDE)),
        ...(await read(tx, LOST_BEFORE)),
        ...(await untoldRedactions(tx)),
        ...(await differing(tx, [{ seq: head.seq, hash: head.hash.toString('hex') }, ...kept])),
        ...(isSigned(appKey, head) ? [] : [{ what: 'end', seq: head.seq, entryId: null } as const]),
      ];
      const waiting = await counted.first(tx, sql`select count(*) as waiting from audit_pending`);
      return {
        entries: walked.entries,
        waiting: waiting?.waiting ?? 0,
        head: { seq: head.seq, hash: head.hash.toString('hex') },
        tamperings: tamperings.slice(0, MOST_NAMED),
      };
    });
}

interface TamperingRow {
  readonly what: 'changed' | 'removed' | 'inserted';
  readonly seq: number | null;
  readonly entry_id: number | null;
}
const rows = typedRows<TamperingRow>({ what: 'string', seq: 'number?', entry_id: 'number?' });
const counted = typedRows<{ waiting: number }>({ waiting: 'number' });

const toTampering = ({ what, seq, entry_id }: TamperingRow): Tampering => ({ what, seq, entryId: entry_id });

async function read(tx: DatabaseTransaction, query: RawBuilder<unknown>): Promise<Tampering[]> {
  return (await rows.read(tx, query)).map(toTampering);
}

const ends = typedRows<{ entries: number; newest: Date | null }>({ entries: 'number', newest: 'date?' });

/** Part by part, so that an audit of any length needs little room. */
async function walk(tx: DatabaseTransaction, last: number): Promise<{ entries: number; tamperings: Tampering[] }> {
  const tamperings: Tampering[] = [];
  let entries = 0;
  let newest = null as Date | null;
  for (let from = 0; from < last; from += AT_ONCE) {
    const part = { from, to: Math.min(from + AT_ONCE, last), newest };
    tamperings.push(...(await read(tx, partOf(part))));
    const end = await ends.first(
      tx,
      sql`
        select count(*) as entries, max(e.at) as newest
        from audit_chain c left join audit_entries e on e.id = c.entry_id where c.seq > ${part.from} and c.seq <= ${part.to}`,
    );
    entries += end?.entries ?? 0;
    newest = end?.newest && (newest === null || end.newest > newest) ? end.newest : newest;
    if (tamperings.length >= MOST_NAMED) break;
  }
  return { entries, tamperings };
}

interface Part {
  readonly from: number;
  readonly to: number;
  /** The time of the newest entry before it. */
  readonly newest: Date | null;
}

/** An entry as redact_audit leaves it. */
const IS_EMPTY = sql`(e.redacted_at is not null and e.redacted_at <= now() and num_nonnulls(e.actor_id, e.facility_id, e.object_type,
  e.object_id, e.ip, e.session_hash, e.request_id, e.detail) = 0)`;

/** Each place with what stands there: nothing, another text than was hashed, or what says that it is older than those before. */
function partOf({ from, to, newest }: Part): RawBuilder<unknown> {
  return sql`
    select found.what, found.seq, found.entry_id from (
      select n.seq, c.entry_id, case
        when c.seq is null or e.id is null then 'removed'
        when n.seq <= h.redacted_seq then case when ${IS_EMPTY} then null else 'changed' end
        when e.redacted_at is not null then 'changed'
        when c.hash is distinct from audit_hash(
          case when n.seq = 1 then decode(repeat('00', 32), 'hex') else b.hash end, n.seq, e) then 'changed'
        when e.at < greatest(max(e.at) over (order by n.seq rows between unbounded preceding and 1 preceding),
          ${newest}::timestamptz) - ${LATE} then 'inserted' end as what
      from generate_series(${from + 1}::bigint, ${to}::bigint) as n (seq)
      left join audit_chain c on c.seq = n.seq
      left join audit_chain b on b.seq = n.seq - 1
      left join audit_entries e on e.id = c.entry_id
      cross join audit_head h) found
    where found.what is not null order by found.seq limit ${MOST_NAMED}`;
}

/** Entries that never waited for a place: put in past the trigger, or their place was removed. */
const OUTSIDE = sql`
  select 'inserted' as what, null::bigint as seq, e.id as entry_id from audit_entries e
  where not exists (select from audit_chain c where c.entry_id = e.id)
    and not exists (select from audit_pending p where p.entry_id = e.id)
  order by e.id limit ${MOST_NAMED}`;

/** Entries that were removed while they waited. */
const LOST_BEFORE = sql`
  select 'removed' as what, null::bigint as seq, p.entry_id from audit_pending p
  where not exists (select from audit_entries e where e.id = p.entry_id)
  order by p.entry_id limit ${MOST_NAMED}`;

const tellings = typedRows<{ seq: number; entry_id: number; up_to_seq: number; digest: string }>({
  ...{ seq: 'number', entry_id: 'number', up_to_seq: 'number', digest: 'string' },
});

/**
 * Of emptied entries no hash proves anything. What is left of them is told by the newest entry of a removal, whose own hash is
 * walked; where it is not that, or reaches less far, somebody has emptied or changed more.
 */
async function untoldRedactions(tx: DatabaseTransaction): Promise<Tampering[]> {
  const query = sql`
    select c.seq, e.id as entry_id, (e.detail ->> 'up_to_seq')::bigint as up_to_seq, e.detail ->> 'digest' as digest
    from audit_entries e join audit_chain c on c.entry_id = e.id
    where e.action = 'audit.redact' and e.redacted_at is null order by c.seq desc limit 1`;
  const told = await tellings.first(tx, query);
  const head = await redactions.first(tx, sql`select redacted_seq from audit_head`);
  const upTo = head?.redacted_seq ?? 0;
  if (upTo === (told?.up_to_seq ?? 0) && (upTo === 0 || (await digestOf(tx)).digest === told?.digest)) return [];
  return [{ what: 'changed', seq: told?.seq ?? upTo, entryId: told?.entry_id ?? null }];
}

const redactions = typedRows<{ redacted_seq: number }>({ redacted_seq: 'number' });

const hashes = typedRows<{ seq: number; hash: string }>({ seq: 'number', hash: 'string' });

/** Ends that are not where the chain has them, and places after its end. */
async function differing(tx: DatabaseTransaction, kept: readonly KeptHead[]): Promise<Tampering[]> {
  const wanted = kept.filter(({ seq }) => seq > 0);
  const places = wanted.map(({ seq }) => seq);
  const found = await hashes.read(
    tx,
    sql`select seq, encode(hash, 'hex') as hash from audit_chain where seq = any(${places}::bigint[])`,
  );
  const known = new Map(found.map(({ seq, hash }) => [seq, hash]));
  const wrong = wanted.filter(({ seq, hash }) => known.get(seq) !== hash);
  const after = await read(
    tx,
    sql`
      select 'inserted' as what, c.seq, c.entry_id from audit_chain c
      where c.seq > (select h.seq from audit_head h) order by c.seq limit ${MOST_NAMED}`,
  );
  return [...wrong.map(({ seq }) => ({ what: 'end', seq, entryId: null }) as const), ...after];
}
