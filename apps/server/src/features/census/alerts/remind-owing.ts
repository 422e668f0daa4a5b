import { dateIn } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { formatTime } from '@wardline/format/times.ts';
import { sql } from 'kysely';
import { appendLog, loggedUnit } from '#/features/census/core/append-log.ts';
import { type ClockDeps, eachByItself, holdFacility } from '#/features/census/core/clock-job.ts';
import { findUnitPeople } from '#/features/census/core/discussion-queries.ts';
import { formatDay, formatReport } from '#/features/census/core/labels.ts';
import { sayOfReport } from '#/features/census/core/unit-discussion.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { findPermitted } from '#/platform/http/authorization/find-permissions.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/**
 * Says of every report that is owed that it will be due, is due, is missing for an hour and, to those who sign, for two; each
 * once, in the report's discussion. After a time in which the server was off it says only the last.
 */
export async function remindOwing(parts: ClockDeps): Promise<void> {
  const owed = await findOwedNotices(parts.db, { now: parts.now });
  const facilities = new Set(owed.map((notice) => notice.facility_no));
  await eachByItself(parts, facilities, (facilityNo) => remindFacility(parts, facilityNo));
}

async function remindFacility(parts: ClockDeps, facilityNo: number): Promise<void> {
  const { write, now, author } = parts;
  await write('census.clock.remind', async (tx) => {
    if (!(await holdFacility(tx, facilityNo))) return { result: undefined, audit: null };
    const said: OwedNotice[] = [];
    const publish: Publication[] = [];
    for (const notice of await findOwedNotices(tx, { now, facilityNo })) {
      if (!(await insertNotice(tx, notice, now))) continue;
      said.push(notice);
      publish.push(...(await sayNotice(tx, parts, notice)));
    }
    await appendLog(tx, { facilityNo, author, entries: said.map(entryOf) });
    const [first] = said;
    return {
      result: undefined,
      audit: first ? { facilityId: first.facility_id, detail: { reminded: said.length } } : null,
      publish,
    };
  });
}

async function sayNotice(
  tx: Transaction,
  { discussions, now }: ClockDeps,
  notice: OwedNotice,
): Promise<readonly Publication[]> {
  const people = await concernedBy(tx, notice);
  if (people.length === 0) return [];
  const line = { people, by: null, body: wordsOf(notice), remindedAt: now };
  return (await sayOfReport(tx, discussions, { report: notice, line })).publish;
}

/** Those who report; after two hours, or where nobody reports, those who sign. */
async function concernedBy(tx: Transaction, { kind, unit_no, facility_id }: OwedNotice): Promise<string[]> {
  const reporting = await findUnitPeople(tx, [unit_no]);
  const asksSigners = kind === 'long_missing' || (kind === 'missing' && reporting.length === 0);
  if (!asksSigners) return reporting;
  return [...reporting, ...(await findPermitted(tx, { facilityId: facility_id, permission: 'census.report_summary' }))];
}

function wordsOf(notice: OwedNotice): string {
  const report = `${formatReport(notice)} census`;
  const due = formatDue(notice);
  switch (notice.kind) {
    case 'due_soon':
      return `${report} due ${due}`;
    case 'due':
      return `${report} due now`;
    case 'missing':
      return `${report} missing: was due ${due}`;
    case 'long_missing':
      return `${report} over 2 h late: was due ${due}`;
  }
}

/** On the facility's clock; the day is said where it is not the census date. */
function formatDue(notice: OwedNotice): string {
  const { due_at, time_zone, date } = notice;
  const time = formatTime(time_zone, due_at.getTime(), notice.hour_cycle);
  const day = dateIn(time_zone, due_at);
  return day === date ? `at ${time}` : `at ${time} on ${formatDay(day, notice)}`;
}

function entryOf(notice: OwedNotice) {
  const { date, population, kind } = notice;
  return { action: 'reminder.send', unit: loggedUnit(notice), date, population, after: { kind } } as const;
}

type Queryable = Database | DatabaseTransaction;

/** How urgent a report has become that nobody has handed in. */
type NoticeKind = 'due_soon' | 'due' | 'missing' | 'long_missing';

interface OwedNotice extends FacilityFormat {
  readonly facility_no: number;
  readonly facility_id: string;
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly date: string;
  readonly population: Population;
  readonly kind: NoticeKind;
  readonly due_at: Date;
  readonly time_zone: string;
}

/**
 * Reports that are owed and of which that has not been said yet, over all facilities or in one. What was returned had been
 * there: it is not missed.
 */
async function findOwedNotices(
  db: Queryable,
  { now, facilityNo = null }: { now: Date; facilityNo?: number | null },
): Promise<OwedNotice[]> {
  const at = sql`${now}::timestamptz`;
  const found = await sql<OwedNotice>`
    select d.facility_no, c.facility_id, u.unit_no, u.unit_id, n.code as unit_code, d.census_date as date, k.population, w.kind,
      d.due_at, d.time_zone, f.hour_cycle, f.date_order
    from facility_days d
    join census_facilities c on c.facility_no = d.facility_no join facilities f on f.id = c.facility_id
    join census_units u on u.facility_no = d.facility_no and u.counts_in_census
    join units n on n.id = u.unit_id
    join unit_populations k on k.unit_no = u.unit_no and k.during @> d.census_date
    cross join lateral (select case
      when ${at} < d.due_at then 'due_soon' when ${at} < d.due_at + interval '60 minutes' then 'due'
      when ${at} < d.due_at + interval '120 minutes' then 'missing' else 'long_missing' end as kind) w
    left join unit_census r on r.unit_no = u.unit_no and r.census_date = d.census_date and r.population = k.population
    where d.status in ('open', 'reopened') and (${facilityNo}::integer is null or d.facility_no = ${facilityNo})
      and d.due_at > ${at} - interval '24 hours' and d.due_at <= ${at} + interval '30 minutes'
      and (r.status is null or r.status = 'draft' or r.status = 'returned' and w.kind in ('due_soon', 'due'))
      and not exists (select from census_notices x
        where x.unit_no = u.unit_no and x.census_date = d.census_date and x.population = k.population and x.kind = w.kind)
    order by d.facility_no, d.census_date, n.position, n.code, k.population`.execute(db);
  return found.rows;
}

/** False when it was said already. */
async function insertNotice(tx: DatabaseTransaction, notice: OwedNotice, at: Date): Promise<boolean> {
  const inserted = await sql`
    insert into census_notices (unit_no, census_date, population, kind, at)
    values (${notice.unit_no}, ${notice.date}, ${notice.population}, ${notice.kind}, ${at})
    on conflict do nothing returning 1`.execute(tx);
  return inserted.rows.length > 0;
}
