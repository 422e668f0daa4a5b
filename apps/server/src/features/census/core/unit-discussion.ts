import type { CensusClass } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { SaidLine, ThreadLine, Threads } from './deps.ts';
import { findUnitThread, type ThreadKey } from './discussion-queries.ts';
import { dayWords, reportWords } from './labels.ts';

/** A report, by its unit, as its thread is called. */
export interface ThreadedReport {
  readonly facility_id: string;
  readonly unit_no: number;
  readonly unit_code: string;
  readonly date: string;
  readonly class: CensusClass;
}

interface UnitLine extends Pick<ThreadLine, 'people' | 'by' | 'body'> {
  /** Set by a reminder: the next one has to wait. */
  readonly remindedAt?: Date;
}

/** Says a line in the talk about a report (CEN-10) and opens it with the first. The facility is held by its log's head. */
export async function sayOfReport(
  tx: Transaction,
  threads: Threads,
  { report, line }: { report: ThreadedReport; line: UnitLine },
): Promise<SaidLine> {
  const { facility_id: facilityId, unit_no: unitNo, date, class: ofClass } = report;
  const key = { unitNo, date, class: ofClass };
  const known = await findUnitThread(tx, key);
  const { remindedAt = null, ...said } = line;
  const title = `${reportWords(report)} · ${dayWords(date)}`;
  const outcome = await threads.say(tx, { facilityId, chatId: known?.chatId ?? null, title, ...said });
  await storeUnitThread(tx, key, { chatId: outcome.chatId, remindedAt });
  return outcome;
}

async function storeUnitThread(
  tx: DatabaseTransaction,
  { unitNo, date, class: ofClass }: ThreadKey,
  { chatId, remindedAt = null }: { chatId: string; remindedAt?: Date | null },
): Promise<void> {
  await sql`
    insert into census_threads (unit_no, census_date, class, chat_id, last_reminded_at)
    values (${unitNo}, ${date}, ${ofClass}, ${chatId}, ${remindedAt})
    on conflict (unit_no, census_date, class) do update set
      last_reminded_at = coalesce(excluded.last_reminded_at, census_threads.last_reminded_at)`.execute(tx);
}
