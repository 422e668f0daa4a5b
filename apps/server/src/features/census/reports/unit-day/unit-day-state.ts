import { isHandedIn } from '@wardline/census/states.ts';
import type { Beds, Estimate, Population } from '@wardline/contract/census/census.ts';
import type { FeedDay, UnitDay } from '@wardline/contract/census/unit.ts';
import type { UnitConfig } from '#/features/census/core/config-queries.ts';
import { findUnitDiscussion } from '#/features/census/core/discussion-queries.ts';
import { findEstimate } from '#/features/census/core/estimate-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { findFeedDay } from '#/features/census/hl7/feed-queries.ts';
import { findOpenProposal } from '#/features/census/hl7/proposal-queries.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { listTransfers, type TransferRow } from './transfer-queries.ts';
import {
  type ChainLink,
  findComplement,
  findDay,
  findLinkBefore,
  findReport,
  type Report,
  type StoredDay,
  type UnitDayKey,
} from './unit-day-queries.ts';

/** Everything that is known of a unit's report of a date, read at one moment. */
export interface UnitDayState {
  readonly place: UnitConfig;
  readonly key: UnitDayKey;
  /** As it was made, or as it will be made. */
  readonly day: StoredDay;
  readonly isDayMade: boolean;
  /** Null while nothing is stored. */
  readonly report: Report | null;
  /** Whose closing the date opens with; null for the unit's first report. */
  readonly link: ChainLink | null;
  /** Of the plan; a stored report has its own. */
  readonly complement: Beds;
  readonly transfers: readonly TransferRow[];
  readonly discussionChatId: string | null;
  /** What somebody takes it to be while it is missing. */
  readonly estimate: Estimate | null;
  /** What the patient system says. */
  readonly feed: FeedDay | null;
  /** What it has said since the report was signed, while nobody has answered it. */
  readonly proposal: NonNullable<UnitDay['proposal']> | null;
}

interface WhichDay {
  readonly date: string;
  readonly population: Population;
}

export async function loadUnitDay(
  db: RequestContext['db'] | Transaction,
  place: UnitConfig,
  { date, population }: WhichDay,
): Promise<UnitDayState> {
  const key = { facilityNo: place.facility_no, unitNo: place.unit_no, date, population };
  const stored = await findDay(db, key);
  const day = stored ?? unmadeDay(place, date);
  const report = await findReport(db, key);
  return {
    place,
    key,
    day,
    isDayMade: stored !== null,
    report,
    link: await findLinkBefore(db, key),
    complement: await findComplement(db, key),
    transfers: await listTransfers(db, key),
    discussionChatId: (await findUnitDiscussion(db, key))?.chatId ?? null,
    estimate: isHandedIn(report?.status ?? null) ? null : await findEstimate(db, key),
    feed: await findFeedDay(db, { ...key, censusAt: day.census_at }),
    proposal: report && day.status !== 'open' ? await findOpenProposal(db, key) : null,
  };
}

/** What an act has changed of a report's state; what is not named is as it was. */
export interface UnitDayUpdate {
  /** Read again where it is not given. */
  readonly report?: Report | null;
  readonly transfers?: readonly TransferRow[];
  readonly discussionChatId?: string;
  readonly estimate?: Estimate | null;
  readonly proposal?: null;
}

/** The state after an act of the transaction that holds the facility: nobody else can have changed the rest of it. */
export async function updatedUnitDay(
  tx: Transaction,
  before: UnitDayState,
  { report: given, ...update }: UnitDayUpdate,
): Promise<UnitDayState> {
  const report = given === undefined ? await findReport(tx, before.key) : given;
  const estimate = isHandedIn(report?.status ?? null) ? null : before.estimate;
  return { ...before, isDayMade: true, report, estimate, ...update };
}

function unmadeDay(place: UnitConfig, date: string): StoredDay {
  const { timeZone, censusAt, dueAt } = newFacilityDay(place, date);
  return { status: 'open', time_zone: timeZone, census_at: censusAt, due_at: dueAt };
}

/** A signed day takes no change until it is reopened, with a reason. */
export function isSigned({ day }: { readonly day: Pick<StoredDay, 'status'> }): boolean {
  return day.status === 'approved' || day.status === 'locked';
}

/** Whether the unit reports this population on the date. */
export function isExpected({ place, key }: Pick<UnitDayState, 'place' | 'key'>): boolean {
  return place.counts_in_census && place.populations.includes(key.population);
}

export function bedsOf({ report, complement }: Pick<UnitDayState, 'report' | 'complement'>): Beds {
  if (!report) return complement;
  return {
    licensed: report.beds_licensed,
    physical: report.beds_physical,
    staffed: report.beds_staffed,
    surge: report.beds_surge,
    blocked: report.beds_blocked,
  };
}
