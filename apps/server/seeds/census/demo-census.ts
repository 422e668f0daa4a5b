import { addDays, datesFrom, newestCensusDate } from '@wardline/census/calendar.ts';
import { analyzeCensus, findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { MadeChat } from '#/testing/factories/chats.ts';
import type { PersonKey } from '../people.ts';
import { createRandom } from '../random.ts';
import { setUpUnits } from './set-up-units.ts';
import { simulateCensus } from './simulate.ts';
import { BRIGID_STORY, HARBOUR_STORY, type Story } from './story.ts';
import { timeDays, timeReport } from './timing.ts';
import { BRIGID_CENSUS, type CensusPlan, HARBOUR_CENSUS } from './unit-plans.ts';
import { writeAlerts } from './write-alerts.ts';
import { writeCensus } from './write-census.ts';
import { writeLog } from './write-log.ts';
import { writeNursingHours } from './write-nursing-hours.ts';

interface DemoCensus {
  readonly facilities: Readonly<Record<'brigid' | 'harbour', { readonly id: string }>>;
  readonly ids: ReadonlyMap<PersonKey, string>;
  readonly now: Date;
  readonly days: number;
}

/**
 * So many days of census up to the newest date that has come, of both facilities, with the log of the last 30 days. Returns the
 * chats in which alerts were raised.
 */
export async function seedCensus(
  tx: DatabaseTransaction,
  { facilities, ids, now, days }: DemoCensus,
): Promise<MadeChat[]> {
  const brigid = { facilityId: facilities.brigid.id, plan: BRIGID_CENSUS, story: BRIGID_STORY, ids, now, days };
  const harbour = { facilityId: facilities.harbour.id, plan: HARBOUR_CENSUS, story: HARBOUR_STORY, ids, now, days };
  const chats = [...(await seedFacility(tx, brigid)), ...(await seedFacility(tx, harbour))];
  await analyzeCensus(tx);
  return chats;
}

interface FacilityCensus extends Pick<DemoCensus, 'ids' | 'now' | 'days'> {
  readonly facilityId: string;
  readonly plan: CensusPlan;
  readonly story: Story;
}

async function seedFacility(
  tx: DatabaseTransaction,
  { facilityId, plan, story, ids, now, days: count }: FacilityCensus,
): Promise<MadeChat[]> {
  const place = await findFacilityPlace(tx, { facilityId, date: now.toISOString().slice(0, 10) });
  if (!place) throw new Error('the facility takes no census');
  const newest = newestCensusDate(now, place);
  const dates = datesFrom(addDays(newest, 1 - count), newest);
  const random = createRandom(20_261_121);
  const units = await setUpUnits(tx, { facilityNo: place.facility_no, plan, newest, ids });
  const { reports, moves } = simulateCensus({ plan, story, random }, { newest, days: count });
  const days = timeDays(place, { story, dates });
  const timed = reports.map((report) => {
    const day = days[days.length - 1 - report.daysBack];
    if (!day) throw new Error(`${report.date} is no day of the demo`);
    return timeReport(report, { day, story, random, now });
  });
  const seed = { place, facilityNo: place.facility_no, plan, story, units, ids, days, reports: timed, moves };
  await writeCensus(tx, seed);
  const alerts = await writeAlerts(tx, seed, { facilityId, now });
  await writeLog(tx, seed, [...(await writeNursingHours(tx, seed, now)), ...alerts.said]);
  return alerts.chat === null ? [] : [alerts.chat];
}
