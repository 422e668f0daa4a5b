import { censusChanged } from '#/features/census/core/change-events.ts';
import { type ClockDeps, eachByItself, holdFacility } from '#/features/census/core/clock-job.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { findFacilityChat } from '#/features/census/core/discussion-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { findPermitted } from '#/platform/http/authorization/find-permissions.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import {
  findGaps,
  findMissing,
  findOftenRestated,
  findOpenAlerts,
  findPressure,
  findSpoken,
  findVariances,
  insertAlert,
  type Scope,
} from './active-alert-queries.ts';
import {
  type ActiveAlert,
  type AlertChanges,
  type AlertRule,
  alertChanges,
  missingReports,
  oftenRestated,
  pressures,
  transferGaps,
  variances,
} from './alert-rules.ts';
import { findFeedAlerts } from './feed-alerts.ts';

/** The rules that are looked at with every tick; the forecast is looked at once a day. */
const RULES: ReadonlySet<AlertRule> = new Set([
  'over_high',
  'over_staffed',
  'report_missing',
  'transfer_gap',
  'head_count_variance',
  'often_restated',
  'feed_silent',
  'feed_refused',
]);

/** Raises what holds and clears what holds no more, facility by facility where something changes. */
export async function raiseAlerts(parts: ClockDeps): Promise<void> {
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

/** What is to be raised and what to be cleared at an instant. */
export async function changesNow(db: ClockDeps['db'], scope: Scope): Promise<AlertChanges> {
  const standing: ActiveAlert[] = [
    ...missingReports(await findMissing(db, scope)),
    ...transferGaps(await findGaps(db, scope)),
    ...variances(await findVariances(db, scope)),
    ...oftenRestated(await findOftenRestated(db, scope)),
    ...pressures(await findPressure(db, scope)),
    ...(await findFeedAlerts(db, scope)),
  ];
  const known = { open: await findOpenAlerts(db, scope), spoken: await findSpoken(db, scope) };
  return alertChanges(standing, known, RULES);
}

type Telling = Pick<CensusDeps, 'discussions'> & { readonly now: Date };

interface Applied {
  readonly facilityNo: number;
  readonly changes: AlertChanges;
}

/** Stores what changed and says what was raised in the facility's chat, to those who sign. */
export async function applyAlerts(
  tx: Transaction,
  { discussions, now }: Telling,
  { facilityNo, changes: { raised, cleared } }: Applied,
) {
  const { facilityId, chatId } = await findFacilityChat(tx, facilityNo);
  const clearedIds = cleared.map(({ id }) => id);
  if (clearedIds.length > 0) await clearAlerts(tx, clearedIds, now);
  const people = await findPermitted(tx, { facilityId, permission: 'census.report_summary' });
  const publish: Publication[] = [];
  let chat = chatId;
  for (const alert of raised) {
    const id = await insertAlert(tx, facilityNo, { alert, at: now });
    if (people.length === 0) continue;
    const body = `Alert: ${alert.message}`;
    const act = { kind: 'census.alert', id } as const;
    const said = await discussions.say(tx, { facilityId, chatId: chat, title: 'Census', people, by: null, body, act });
    chat = said.chatId;
    publish.push(...said.publish);
  }
  if (chat !== null && chat !== chatId) await storeFacilityChat(tx, facilityNo, chat);
  const dates = [...raised, ...cleared].map(({ date }) => date);
  publish.push(...censusChanged(facilityId, [{ dates, unitId: null }]));
  const detail = { raised: raised.map(({ rule }) => rule), cleared: cleared.length };
  return {
    result: undefined,
    audit: dates.length > 0 ? { facilityId, objectType: 'census_alert', detail } : null,
    publish,
  };
}

async function clearAlerts(tx: DatabaseTransaction, ids: readonly string[], at: Date): Promise<void> {
  await tx
    .updateTable('census_alerts')
    .set({ cleared_at: at })
    .where('id', 'in', [...ids])
    .execute();
}

export async function storeFacilityChat(tx: DatabaseTransaction, facilityNo: number, chatId: string): Promise<void> {
  await tx.updateTable('census_facilities').set({ chat_id: chatId }).where('facility_no', '=', facilityNo).execute();
}
