import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { DiscussionLine, Discussions, SaidLine } from './deps.ts';
import { type DiscussionKey, findUnitDiscussion } from './discussion-queries.ts';
import { formatDay, formatReport } from './labels.ts';

/** A report, by its unit, as its discussion is called. */
export interface DiscussedReport extends Pick<FacilityFormat, 'date_order'> {
  readonly facility_id: string;
  readonly unit_no: number;
  readonly unit_code: string;
  readonly date: string;
  readonly population: Population;
}

interface UnitLine extends Pick<DiscussionLine, 'people' | 'by' | 'body'> {
  /** Set by a reminder: the next one has to wait. */
  readonly remindedAt?: Date;
}

/** Says a line in the discussion about a report (CEN-10) and opens it with the first. The facility is held by its log's head. */
export async function sayOfReport(
  tx: Transaction,
  discussions: Discussions,
  { report, line }: { report: DiscussedReport; line: UnitLine },
): Promise<SaidLine> {
  const { facility_id: facilityId, unit_no: unitNo, date, population } = report;
  const key = { unitNo, date, population };
  const known = await findUnitDiscussion(tx, key);
  const { remindedAt = null, ...said } = line;
  const title = `${formatReport(report)} · ${formatDay(date, report)}`;
  const outcome = await discussions.say(tx, { facilityId, chatId: known?.chatId ?? null, title, ...said });
  await storeUnitDiscussion(tx, key, { chatId: outcome.chatId, remindedAt });
  return outcome;
}

async function storeUnitDiscussion(
  tx: DatabaseTransaction,
  { unitNo, date, population }: DiscussionKey,
  { chatId, remindedAt = null }: { chatId: string; remindedAt?: Date | null },
): Promise<void> {
  await sql`
    insert into census_discussions (unit_no, census_date, population, chat_id, last_reminded_at)
    values (${unitNo}, ${date}, ${population}, ${chatId}, ${remindedAt})
    on conflict (unit_no, census_date, population) do update set
      last_reminded_at = coalesce(excluded.last_reminded_at, census_discussions.last_reminded_at)`.execute(tx);
}
