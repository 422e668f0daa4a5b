import { addDays, censusInstant } from '@wardline/census/calendar.ts';
import { forecast } from '@wardline/census/forecast.ts';
import { findOpenAlerts, findSpoken } from '#/features/census/alerts/active-alert-queries.ts';
import { alertChanges, type Standing } from '#/features/census/alerts/alert-rules.ts';
import { applyAlerts } from '#/features/census/alerts/raise-alerts.ts';
import { appendLog, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { type ClockParts, eachByItself } from '#/features/census/core/clock-job.ts';
import { findFacilityPlace } from '#/features/census/core/config-queries.ts';
import { dayWords, reportWords } from '#/features/census/core/labels.ts';
import { lockHead } from '#/features/census/core/log-queries.ts';
import { purgeVisits } from '#/features/census/hl7/feed-queries.ts';
import type { Transaction } from '#/platform/http/context.ts';
import {
  type Difference,
  type FacilityToCheck,
  findFacilitiesToCheck,
  findHistories,
  type History,
  takeCheck,
} from './check-queries.ts';
import { checkSums, type Differences } from './check-sums.ts';

/** So long after its last day is locked by itself a visit is still known, for what comes late. */
const DAYS_AFTER_LOCK = 30;

/**
 * Forgets the visits that have been over for so long that none of their days takes a correction any more, keyed hashes and
 * all. Answers how many. Of the dates that they were part of the patient system says nothing from then on.
 */
async function forgetVisits(
  tx: Transaction,
  { facilityId, newest }: { facilityId: string; newest: string },
): Promise<number> {
  const place = await findFacilityPlace(tx, { facilityId, date: newest });
  if (!place) return 0;
  const last = addDays(newest, -(place.lock_after_days + DAYS_AFTER_LOCK));
  return purgeVisits(tx, { facilityNo: place.facility_no, before: censusInstant(last, place) });
}

const HISTORY_DAYS = 400;
const FORECAST_RULE = new Set(['forecast_breach'] as const);

/** Once for every census date, when its reports should be in: are the sums right, and will tomorrow be too full. */
export async function checkNightly(parts: ClockParts): Promise<void> {
  await eachByItself(parts, await findFacilitiesToCheck(parts.db, parts.now), (facility) =>
    checkFacility(parts, facility),
  );
}

async function checkFacility(parts: ClockParts, facility: FacilityToCheck): Promise<void> {
  const { db, write, log, author, now } = parts;
  const { facility_no: facilityNo, facility_id: facilityId, newest } = facility;
  const differences = await checkSums(parts, facility);
  const breaches = await findBreaches(db, facility);
  await write('census.clock.check', async (tx) => {
    await lockHead(tx, facilityNo);
    if (!(await takeCheck(tx, { facilityNo, newest, now }))) return { result: undefined, audit: null };
    const entries = Object.keys(differences).length === 0 ? [] : [entryOf(differences)];
    await appendLog(tx, { facilityNo, author, entries });
    const scope = { now, facilityNo };
    const known = { open: await findOpenAlerts(tx, scope), spoken: await findSpoken(tx, scope) };
    const changes = alertChanges(breaches, known, FORECAST_RULE);
    const forgotten = await forgetVisits(tx, { facilityId, newest });
    const { publish } = await applyAlerts(tx, parts, { facilityNo, changes });
    const detail = { differences: countOf(differences), raised: changes.raised.length, forgotten };
    return { result: undefined, audit: { facilityId, detail }, publish };
  });
  if (Object.keys(differences).length > 0) {
    log.error({ facility: facilityId, differences }, 'what is stored of the census does not agree with itself');
  }
}

function entryOf(differences: Differences): NewLogEntry {
  const places = Object.entries(differences).map(([check, wrong]) => [check, wrong.map(placeWords)] as const);
  return { action: 'data.check', after: { differences: countOf(differences), ...Object.fromEntries(places) } };
}

function placeWords({ unit_code, date, class: ofClass }: Difference): string {
  return [unit_code, date, ofClass].filter((part) => part !== null).join(' ');
}

function countOf(differences: Differences): number {
  return Object.values(differences).reduce((sum, wrong) => sum + wrong.length, 0);
}

/** Units that the next census is expected to find fuller than they may be. */
async function findBreaches(db: ClockParts['db'], facility: FacilityToCheck): Promise<Standing[]> {
  const { facility_no: facilityNo, newest } = facility;
  const range = { facilityNo, from: addDays(newest, 1 - HISTORY_DAYS), to: newest };
  return (await findHistories(db, range)).flatMap((history) => breachOf(history, facility));
}

function breachOf(history: History, { facility_no, newest, full_percent }: FacilityToCheck): Standing[] {
  const expected = forecast(history.present, 1);
  const value = typeof expected === 'string' ? undefined : expected.points[0]?.value;
  if (value === undefined || value * 100 <= full_percent * history.staffed) return [];
  const date = addDays(newest, 1);
  const message =
    `${reportWords(history)} is expected to have ${value.toFixed(1)} patients on ${dayWords(date)}, ` +
    `${history.staffed} staffed beds`;
  const { unit_no, class: ofClass } = history;
  return [{ facility_no, unit_no, class: ofClass, rule: 'forecast_breach', date, message, raises: true }];
}
