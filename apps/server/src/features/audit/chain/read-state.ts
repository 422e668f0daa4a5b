import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { isSigned } from './head-signature.ts';
import { readHead } from './seal-entries.ts';

export interface AuditState {
  /** The last place of the chain. */
  readonly entries: number;
  readonly waiting: number;
  readonly waitingSince: Date | null;
  /** Whether the chain ends where a server left it; the whole of it is walked by `npm run audit -- verify` only. */
  readonly isSigned: boolean;
}

const waits = typedRows<{ waiting: number; since: Date | null }>({ waiting: 'number', since: 'date?' });

/** How the chain stands now, without walking it. */
export async function readAuditState(db: Database, appKey: Buffer): Promise<AuditState> {
  const head = await readHead(db).catch(() => null);
  const found = await waits.first(
    db,
    sql`
    select (select count(*)::integer from audit_pending) as waiting,
      (select e.at from audit_pending p join audit_entries e on e.id = p.entry_id order by p.entry_id limit 1) as since`,
  );
  return {
    entries: head?.seq ?? 0,
    waiting: found?.waiting ?? 0,
    waitingSince: found?.since ?? null,
    isSigned: head !== null && isSigned(appKey, head),
  };
}
