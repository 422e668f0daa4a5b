import { addDays } from '@wardline/census/calendar.ts';
import type { Beds, Counts } from '@wardline/contract/census/census.ts';
import type { Random } from '../random.ts';
import { type Story, slipOn } from './story.ts';
import type { BedPlan, CensusPlan, Ward } from './unit-plans.ts';

/** A report as the unit counted it. */
export interface SimulatedDay {
  readonly ward: Ward;
  readonly date: string;
  readonly daysBack: number;
  readonly opening: number;
  /** The date whose closing the opening is; null for the first report. */
  readonly openingFrom: string | null;
  readonly counts: Readonly<Record<Exclude<keyof Counts, 'discharge_days'>, number>> & Pick<Counts, 'discharge_days'>;
  readonly closing: number;
  readonly beds: Beds;
  readonly varianceReason: string | null;
  readonly capacityReason: string | null;
}

export interface SimulatedMove {
  readonly date: string;
  readonly from: Ward;
  readonly to: Ward;
  readonly outCount: number | null;
  readonly inCount: number | null;
}

interface UnitState {
  readonly last: { readonly closing: number; readonly date: string } | null;
  readonly blocked: number;
}

interface Move {
  readonly from: Ward;
  readonly to: Ward;
  readonly sent: number;
  readonly received: number;
}

const VARIANCES = [
  'One patient was at the scanner while the ward was counted.',
  'Patient still on the list after leaving against advice.',
  'Counted before the porters brought the last admission.',
];

/** Every report of a facility over the days up to the newest, each unit’s from its closing before; moves agree on both sides. */
export function simulateCensus(
  { plan, story, random }: { plan: CensusPlan; story: Story; random: Random },
  { newest, days }: { newest: string; days: number },
): { reports: SimulatedDay[]; moves: SimulatedMove[] } {
  const states = new Map<Ward, UnitState>(plan.wards.map((ward) => [ward, { last: null, blocked: 0 }]));
  const reports: SimulatedDay[] = [];
  const moves: SimulatedMove[] = [];
  for (let daysBack = days - 1; daysBack >= 0; daysBack--) {
    const date = addDays(newest, -daysBack);
    const isSilent = (ward: Ward) => story.missing.some((gap) => gap.code === ward.code && gap.daysBack === daysBack);
    const moved =
      daysBack === 0 && story.moves.length > 0 ? toldMoves(plan, story) : drawMoves(plan, { states, random, daysBack });
    // On older days nobody tells of moves with a unit that did not report; on the newest one its partners have.
    const kept = moved.filter(({ from, to }) => daysBack === 0 || !(isSilent(from) || isSilent(to)));
    for (const { from, to, sent, received } of kept) {
      const text = { outCount: isSilent(from) ? null : sent, inCount: isSilent(to) ? null : received };
      moves.push({ date, from, to, ...text });
    }
    for (const ward of plan.wards) {
      const state = states.get(ward);
      if (!state || isSilent(ward)) continue;
      const told = story.closings[daysBack]?.[ward.code];
      const isSlip = slipOn(story, { code: ward.code, daysBack }) !== null;
      const report = reportOf(ward, { state, moves: kept, random, date, daysBack, told, isSlip });
      reports.push(report);
      states.set(ward, { last: { closing: report.closing, date }, blocked: report.beds.blocked });
    }
  }
  return { reports, moves };
}

function toldMoves(plan: CensusPlan, story: Story): Move[] {
  return story.moves.map(({ from, to, count, received = count }) => ({
    from: unitPlan(plan, from),
    to: unitPlan(plan, to),
    sent: count,
    received,
  }));
}

function drawMoves(
  plan: CensusPlan,
  { states, random, daysBack }: { states: ReadonlyMap<Ward, UnitState>; random: Random; daysBack: number },
): Move[] {
  const left = new Map(plan.wards.map((ward) => [ward, states.get(ward)?.last?.closing ?? 0]));
  return plan.roads.flatMap((road) => {
    const [from, to] = [unitPlan(plan, road.from), unitPlan(plan, road.to)];
    const here = left.get(from) ?? 0;
    const isOpen = to.isBoarders || (bedsOn(to, daysBack)?.staffed ?? 0) > 0;
    const sent = isOpen ? Math.min(here, poisson(road.mean, random)) : 0;
    left.set(from, here - sent);
    return sent === 0 ? [] : [{ from, to, sent, received: sent }];
  });
}

interface DayState {
  readonly state: UnitState;
  readonly moves: readonly Move[];
  readonly random: Random;
  readonly date: string;
  readonly daysBack: number;
  /** What the closing has to be. */
  readonly told: number | undefined;
  /** A late slip is told of this day: somebody was discharged, and the count was right. */
  readonly isSlip: boolean;
}

function reportOf(ward: Ward, seed: DayState): SimulatedDay {
  const { state, random, date, daysBack, isSlip } = seed;
  const beds = bedsFor(ward, seed);
  const { opening, closing, counts } = countsOf(ward, { ...seed, beds });
  const present = closing - counts.on_leave;
  const isVaried = !isSlip && daysBack > 2 && present > 0 && random.next() < 0.012;
  const isOver = beds.physical > 0 && present + beds.blocked > beds.physical;
  return {
    ward,
    date,
    daysBack,
    opening,
    openingFrom: state.last?.date ?? null,
    counts: { ...counts, counted: isVaried ? present - 1 : present },
    closing,
    beds,
    varianceReason: isVaried ? random.pick(VARIANCES) : null,
    capacityReason: isOver ? 'One patient on a bed in the day room.' : null,
  };
}

function countsOf(ward: Ward, { beds, ...seed }: DayState & { beds: Beds }) {
  const { state, moves, random, date, isSlip, told } = seed;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const winter = winterOf(ward, date);
  const aim = (ward.full[weekday] ?? 0) * (ward.isBoarders ? 1 : beds.staffed) * winter;
  const opening = state.last?.closing ?? Math.round(aim);
  const closing = closingOf(ward, { ...seed, beds, aim, opening });
  const transfersIn = sum(moves.filter(({ to }) => to === ward).map(({ received }) => received));
  const transfersOut = sum(moves.filter(({ from }) => from === ward).map(({ sent }) => sent));
  const arrived = beds.staffed > 0 || ward.isBoarders ? poisson((ward.arrivals[weekday] ?? 0) * winter, random) : 0;
  const stays = opening + transfersIn - transfersOut - closing;
  const leastOut = isSlip ? 1 : 0;
  // Nobody leaves who was not there: if the unit filled up by more than came, more had come.
  const came = Math.max(arrived, leastOut - stays);
  const separations = stays + came;
  const deaths = Math.min(2, separations - leastOut, binomial(separations, ward.mortality, random));
  const isNewborn = ward.population === 'newborn';
  // A told closing is how many are in the beds.
  const hasNoLeave = isNewborn || ward.isBoarders || told !== undefined;
  const early = binomial(deaths, 0.3, random);
  const sameDay = Math.min(separations - deaths, binomial(came, ward.sameDay, random));
  const counts = {
    admissions: isNewborn ? 0 : came,
    births: isNewborn ? came : 0,
    transfers_in: transfersIn,
    discharges: separations - deaths,
    deaths,
    deaths_u48: early,
    transfers_out: transfersOut,
    ad_same_day: sameDay,
    on_leave: hasNoLeave ? 0 : Math.min(closing, binomial(2, 0.05, random)),
    observation: ward.isBoarders ? 0 : Math.min(closing, binomial(2, 0.3, random)),
    discharge_days: ward.stayDays === undefined ? null : sameDay + (separations - sameDay) * ward.stayDays,
  };
  return { opening, closing, counts };
}

/** What was told, or a step towards what the unit tends to, as far as there are beds. */
function closingOf(
  ward: Ward,
  { beds, aim, opening, random, told }: DayState & { beds: Beds; aim: number; opening: number },
): number {
  const wander = (random.next() + random.next() - 1) * Math.sqrt(aim) * 0.7;
  const isSqueezed = random.next() < 0.02;
  if (told !== undefined) return told;
  const closing = Math.max(0, Math.round(opening + 0.45 * (aim - opening) + wander));
  if (ward.isBoarders) return closing;
  if (beds.staffed === 0) return 0;
  return Math.min(closing, beds.physical - beds.blocked + (isSqueezed ? 1 : 0));
}

/** The complement that holds on a day. */
export function bedsOn(ward: Ward, daysBack: number): BedPlan | undefined {
  return ward.beds.findLast((plan) => plan.daysBack >= daysBack);
}

function bedsFor(ward: Ward, { state, random, daysBack }: DayState): Beds {
  const plan = bedsOn(ward, daysBack);
  if (!plan) return { licensed: 0, physical: 0, staffed: 0, surge: 0, blocked: 0 };
  const { licensed, physical, staffed, surge = 0 } = plan;
  const isSame = random.next() > 0.15;
  const blocked = staffed === 0 ? 0 : isSame ? state.blocked : binomial(2, 0.3, random);
  return { licensed, physical, staffed, surge, blocked };
}

/** Most on 20 January, nothing of it in summer. */
function winterOf(ward: Ward, date: string): number {
  const day = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(Number(date.slice(0, 4)), 0, 20)) / 86_400_000;
  const distance = Math.min(Math.abs(day), 365 - Math.abs(day));
  return 1 + ward.winter * Math.exp(-((distance / 35) ** 2));
}

/** How often something happens that happens so often on an ordinary day. */
function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let product = random.next();
  let count = 0;
  while (product > limit) {
    product *= random.next();
    count += 1;
  }
  return count;
}

function binomial(tries: number, chance: number, random: Random): number {
  let hits = 0;
  for (let index = 0; index < tries; index++) if (random.next() < chance) hits += 1;
  return hits;
}

function unitPlan(plan: CensusPlan, code: string): Ward {
  const found = plan.wards.find((ward) => ward.code === code);
  if (!found) throw new Error(`${code} is no ward of the plan`);
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
