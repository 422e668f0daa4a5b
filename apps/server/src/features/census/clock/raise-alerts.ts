import type { Transaction } from '#/platform/context.ts';
import type { Publication } from '#/platform/publish/publish.ts';
import { censusChanged } from '../census-news.ts';
import type { CensusDeps } from '../deps.ts';
import { findPermitted } from '../thread-queries.ts';
import {
  clearAlerts,
  findFacilityChat,
  findGaps,
  findMissing,
  findOftenRestated,
  findOpenAlerts,
  findPressure,
  findSpoken,
  findVariances,
  insertAlert,
  type Scope,
  storeFacilityChat,
} from './alert-queries.ts';
import {
  type AlertChanges,
  type AlertRule,
  alertChanges,
  missingReports,
  oftenRestated,
  pressures,
  type Standing,
  transferGaps,
  variances,
} from './alert-rules.ts';
import { type ClockParts, eachByItself } from './clock-parts.ts';
import { holdFacility } from './clock-queries.ts';

/** The rules that are looked at with every tick; the forecast is looked at once a day. */
const RULES: ReadonlySet<AlertRule> = new Set([
  'over_high',
  'over_staffed',
  'report_missing',
  'transfer_gap',
  'head_count_variance',
  'often_restated',
]);

/** Raises what holds and clears what holds no more, facility by facility where something changes. */
export async function raiseAlerts(parts: ClockParts): Promise<void> {
  const { db, now } = parts;
  const everywhere = await changesNow(db, { now, facilityNo: null });
  const facilities = new Set([...everywhere.raised, ...everywhere.cleared].map(({ facility_no }) => facility_no));
  await eachByItself(parts, facilities, (facilityNo) =>
    parts.write('census.clock.alerts', async (tx) => {
      if (!(await holdFacility(tx, facilityNo))) return { result: undefined, audit: null };
      return applyAlerts(tx, parts, { facilityNo, changes: await changesNow(tx, { now, facilityNo }) });
    }),
  );
}

async function changesNow(db: ClockParts['db'], scope: Scope): Promise<AlertChanges> {
  const standing: Standing[] = [
    ...missingReports(await findMissing(db, scope)),
    ...transferGaps(await findGaps(db, scope)),
    ...variances(await findVariances(db, scope)),
    ...oftenRestated(await findOftenRestated(db, scope)),
    ...pressures(await findPressure(db, scope)),
  ];
  const known = { open: await findOpenAlerts(db, scope), spoken: await findSpoken(db, scope) };
  return alertChanges(standing, known, RULES);
}

interface Applied {
  readonly facilityNo: number;
  readonly changes: AlertChanges;
}

/** Stores what changed and says what was raised in the facility's chat, to those who sign. */
export async function applyAlerts(
  tx: Transaction,
  { threads, now }: Pick<CensusDeps, 'threads'> & { readonly now: Date },
  { facilityNo, changes }: Applied,
) {
  const { raised, cleared } = changes;
  const { facilityId, chatId } = await findFacilityChat(tx, facilityNo);
  const publish: Publication[] = [];
  let chat = chatId;
  if (cleared.length > 0)
    await clearAlerts(
      tx,
      cleared.map(({ id }) => id),
      now,
    );
  const people = await findPermitted(tx, { facilityId, permission: 'census.report_summary' });
  for (const alert of raised) {
    await insertAlert(tx, facilityNo, { alert, at: now });
    if (people.length === 0) continue;
    const line = {
      facilityId,
      chatId: chat,
      title: 'Census',
      people,
      by: null,
      body: `raises an alert: ${alert.message}`,
    };
    const said = await threads.say(tx, line);
    chat = said.chatId;
    publish.push(...said.publish);
  }
  if (chat !== null && chat !== chatId) await storeFacilityChat(tx, facilityNo, chat);
  const dates = new Set([...raised, ...cleared].map(({ date }) => date));
  for (const date of dates) publish.push(censusChanged({ facility_id: facilityId, census_date: date, unit_id: null }));
  const isChanged = dates.size > 0;
  const detail = { raised: raised.map(({ rule }) => rule), cleared: cleared.length };
  return { result: undefined, audit: isChanged ? { facilityId, objectType: 'census_alert', detail } : null, publish };
}
