import type { FeedField, Population } from '@wardline/contract/census/census.ts';
import type { Movement, Stay } from './replay.ts';

/** A movement with what hangs on the facility's clock. */
export interface DatedMovement extends Movement {
  readonly date: string;
  /** Separated on the census date of the admission that it ends. */
  readonly isSameDay: boolean;
}

/** What the events of a visit come to. */
export interface Outcome {
  readonly movements: readonly DatedMovement[];
  readonly stays: readonly Stay[];
}

/** A unit-day of which something else is told than before, and which of its counts. */
export interface Touched {
  readonly unitNo: number;
  readonly date: string;
  readonly population: Population;
  readonly fields: ReadonlySet<FeedField>;
}

export function isSameOutcome(one: Outcome, other: Outcome): boolean {
  return (
    sameList(one.movements.map(formatMovement), other.movements.map(formatMovement)) &&
    sameList(one.stays.map(formatStay), other.stays.map(formatStay))
  );
}

/** The counts of movements that two outcomes of a visit tell differently, by unit-day. */
export function touchedCounts(before: Outcome, after: Outcome): Touched[] {
  const sums = new Map<string, { readonly part: Part; sum: number }>();
  const add = (outcome: Outcome, by: 1 | -1) => {
    for (const part of outcome.movements.flatMap(partsOf)) {
      const key = `${part.unitNo} ${part.date} ${part.population} ${part.field}`;
      sums.set(key, { part, sum: (sums.get(key)?.sum ?? 0) + by });
    }
  };
  add(before, -1);
  add(after, 1);
  return mergeTouched(
    [...sums.values()]
      .filter(({ sum }) => sum !== 0)
      .map(({ part: { field, ...day } }) => ({ ...day, fields: new Set([field]) })),
  );
}

/** The absences that only one of the two tells: who is on leave at the census hours in them is told differently. */
export function movedLeaves(before: Outcome, after: Outcome): Stay[] {
  const leaves = ({ stays }: Outcome) => stays.filter(({ isLeave }) => isLeave);
  const without = (some: readonly Stay[], others: readonly Stay[]) => {
    const known = new Set(others.map(formatStay));
    return some.filter((stay) => !known.has(formatStay(stay)));
  };
  return [...without(leaves(before), leaves(after)), ...without(leaves(after), leaves(before))];
}

/** One entry for each unit-day, with all its counts. */
export function mergeTouched(touched: readonly Touched[]): Touched[] {
  const days = new Map<string, Touched>();
  for (const day of touched) {
    const key = `${day.unitNo} ${day.date} ${day.population}`;
    days.set(key, { ...day, fields: new Set([...(days.get(key)?.fields ?? []), ...day.fields]) });
  }
  return [...days.values()];
}

interface Part extends Omit<Touched, 'fields'> {
  readonly field: FeedField;
}

const FIELDS: Readonly<Record<Movement['kind'], FeedField>> = {
  admission: 'admissions',
  birth: 'births',
  transfer_in: 'transfers_in',
  transfer_out: 'transfers_out',
  discharge: 'discharges',
  death: 'deaths',
};

function partsOf({ kind, unitNo, date, population, isSameDay, isUnder48h }: DatedMovement): Part[] {
  const fields: FeedField[] = [
    FIELDS[kind],
    ...(isUnder48h ? (['deaths_u48'] as const) : []),
    ...(isSameDay ? (['ad_same_day'] as const) : []),
  ];
  return fields.map((field) => ({ unitNo, date, population, field }));
}

function formatMovement(movement: DatedMovement): string {
  const { at, date, kind, unitNo, partnerUnitNo, population, isSameDay, isUnder48h } = movement;
  return [at.getTime(), date, kind, unitNo, partnerUnitNo, population, isSameDay, isUnder48h].join();
}

function formatStay({ unitNo, population, isLeave, from, to }: Stay): string {
  return [unitNo, population, isLeave, from.getTime(), to?.getTime()].join();
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
