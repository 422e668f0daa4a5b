import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Write } from '#/platform/http/context.ts';

/** Entries that one transaction empties. */
const AT_ONCE = 2_000;

/**
 * Empties the entries that are older than so many years: who, what and where from go, time, action, place and hash stay. Each run is
 * an entry itself, with a digest over all that was left so far, so that nobody can change what no hash proves any more.
 */
export async function redactEntries(write: Write, years: number): Promise<number> {
  let all = 0;
  for (;;) {
    const emptied = await write('audit.redact', async (tx) => {
      const found = await places.first(tx, sql`select redact_audit(${years}, ${AT_ONCE}) as up_to_seq`);
      const upTo = found?.up_to_seq ?? null;
      if (upTo === null) return { result: 0, audit: null };
      const { entries, digest } = await digestOf(tx);
      return { result: entries, audit: { detail: { entries, up_to_seq: upTo, years, digest } } };
    });
    all += emptied;
    if (emptied < AT_ONCE) return all;
  }
}

const places = typedRows<{ up_to_seq: number | null }>({ up_to_seq: 'number?' });
const digests = typedRows<{ digest: string; entries: number }>({ digest: 'string', entries: 'number' });

/** Over what each run left, one folded over the other; and how many entries the newest run emptied. */
export async function digestOf(db: Database | DatabaseTransaction): Promise<{ digest: string; entries: number }> {
  const found = await digests.first(
    db,
    sql`
      with recursive runs as (
        select row_number() over (order by min(c.seq)) as n, count(*) as entries, sha256(string_agg(sha256(convert_to(
          jsonb_build_array(c.seq, c.entry_id, encode(c.hash, 'hex'), extract(epoch from e.at), e.action, e.outcome,
            extract(epoch from e.redacted_at))::text, 'UTF8')), ''::bytea order by c.seq)) as digest
        from audit_chain c join audit_entries e on e.id = c.entry_id
        where c.seq <= (select h.redacted_seq from audit_head h) group by e.redacted_at),
      folded as (
        select 0::bigint as n, 0::bigint as entries, decode(repeat('00', 32), 'hex') as digest
        union all
        select r.n, r.entries, sha256(f.digest || r.digest) from folded f join runs r on r.n = f.n + 1)
      select encode(digest, 'hex') as digest, entries from folded order by n desc limit 1`,
  );
  if (!found) throw new Error('what was left of old entries could not be read');
  return found;
}
