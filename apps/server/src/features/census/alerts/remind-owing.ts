import { dateIn } from '@wardline/census/calendar.ts';
import { appendLog, loggedUnit } from '#/features/census/core/append-log.ts';
import { type ClockParts, eachByItself } from '#/features/census/core/clock-job.ts';
import { findOwedNotices, holdFacility, insertNotice, type OwedNotice } from '#/features/census/core/clock-queries.ts';
import { findPermitted, findUnitPeople } from '#/features/census/core/discussion-queries.ts';
import { dayWords, reportWords } from '#/features/census/core/labels.ts';
import { sayOfReport } from '#/features/census/core/unit-discussion.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/**
 * Says of every report that is owed that it will be due, is due, is missing for an hour and, to those who sign, for two; each
 * once, in the report's thread. After a time in which the server was off it says only the last.
 */
export async function remindOwing(parts: ClockParts): Promise<void> {
  const owed = await findOwedNotices(parts.db, { now: parts.now });
  const facilities = new Set(owed.map((notice) => notice.facility_no));
  await eachByItself(parts, facilities, (facilityNo) => remindFacility(parts, facilityNo));
}

async function remindFacility(parts: ClockParts, facilityNo: number): Promise<void> {
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
  { threads, now }: ClockParts,
  notice: OwedNotice,
): Promise<readonly Publication[]> {
  const people = await concernedBy(tx, notice);
  if (people.length === 0) return [];
  const line = { people, by: null, body: wordsOf(notice), remindedAt: now };
  return (await sayOfReport(tx, threads, { report: notice, line })).publish;
}

/** Those who report; after two hours, or where nobody reports, those who sign. */
async function concernedBy(tx: Transaction, { kind, unit_no, facility_id }: OwedNotice): Promise<string[]> {
  const reporting = await findUnitPeople(tx, [unit_no]);
  const isMissing = kind === 'missing' || kind === 'long_missing';
  if (kind !== 'long_missing' && !(isMissing && reporting.length === 0)) return reporting;
  return [...reporting, ...(await findPermitted(tx, { facilityId: facility_id, permission: 'census.report_summary' }))];
}

function wordsOf(notice: OwedNotice): string {
  const report = `${reportWords(notice)} census`;
  const due = dueWords(notice);
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
function dueWords({ due_at, time_zone, date }: OwedNotice): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, hour: '2-digit', minute: '2-digit' });
  const day = dateIn(time_zone, due_at);
  return day === date ? `at ${time.format(due_at)}` : `at ${time.format(due_at)} on ${dayWords(day)}`;
}

function entryOf(notice: OwedNotice) {
  const { date, class: ofClass, kind } = notice;
  return { action: 'reminder.send', unit: loggedUnit(notice), date, class: ofClass, after: { kind } } as const;
}
