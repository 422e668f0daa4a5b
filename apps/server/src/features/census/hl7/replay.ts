import type { Population } from '@wardline/contract/census/census.ts';

/** One event of a visit as it is kept. */
export interface VisitEvent {
  /** Of the message that told of it. */
  readonly controlId: string;
  /** A code of HL7, or {@link IN_BEFORE}. */
  readonly trigger: string;
  readonly at: Date;
  /** In the order of arrival: decides between events of the same instant. */
  readonly eventNo: number;
  readonly unitNo: number | null;
  readonly population: Population;
  readonly isBirth: boolean;
  readonly isDeath: boolean;
}

/** Somebody came into a unit or left it. */
export interface Movement {
  readonly at: Date;
  readonly kind: 'admission' | 'birth' | 'transfer_in' | 'transfer_out' | 'discharge' | 'death';
  readonly unitNo: number;
  readonly partnerUnitNo: number | null;
  readonly population: Population;
  readonly isUnder48h: boolean;
}

/** From when to when somebody was in a unit, or on leave from it; `to` null: still. */
export interface Stay {
  readonly unitNo: number;
  readonly population: Population;
  readonly isLeave: boolean;
  readonly from: Date;
  readonly to: Date | null;
}

/**
 * In the house since then, by somebody's word and not by an event: from a file or an update before the feed counted, or by a
 * person who was asked. The newest counts, and none of them once the admission itself is told.
 */
export const IN_BEFORE = 'A00';

/** What cancels what: the newest one before it that is not cancelled yet. A07 makes the inpatient an outpatient again. */
const CANCELS: Readonly<Record<string, readonly string[]>> = {
  A07: ['A01', 'A06', IN_BEFORE],
  A11: ['A01', 'A06', IN_BEFORE],
  A12: ['A02', 'A17'],
  A13: ['A03'],
  A52: ['A21'],
  A53: ['A22'],
};
const ADMITS: ReadonlySet<string> = new Set(['A01', 'A06']);
const MOVES: ReadonlySet<string> = new Set(['A02', 'A17', 'A03']);
const LONGEST_SHORT_STAY_MS = 48 * 3_600_000;

/**
 * What the events of one visit come to, whatever the order they arrived in: they are taken in the order in which they
 * happened, without those that were cancelled. A cancelled admission is as if it had never been, on its own day.
 */
export function replayVisit(events: readonly VisitEvent[]): Replayed {
  const standing = withOneBeginning(withoutCancelled(inOrder(events)));
  const visit = new Visit();
  for (const event of standing) visit.take(event);
  return { movements: visit.movements, stays: visit.closeStays(), unknown: visit.unknown };
}

interface Replayed {
  readonly movements: Movement[];
  readonly stays: Stay[];
  /** The first move or discharge of somebody who had not been admitted: it counts nothing. */
  readonly unknown: VisitEvent | null;
}

function withOneBeginning(events: readonly VisitEvent[]): VisitEvent[] {
  const told = events.find(({ trigger }) => ADMITS.has(trigger) || trigger === 'A03');
  const isTold = told !== undefined && ADMITS.has(told.trigger);
  const newest = Math.max(...events.filter(({ trigger }) => trigger === IN_BEFORE).map(({ eventNo }) => eventNo));
  return events.filter(({ trigger, eventNo }) => trigger !== IN_BEFORE || (!isTold && eventNo === newest));
}

function inOrder(events: readonly VisitEvent[]): VisitEvent[] {
  const isCancel = ({ trigger }: VisitEvent) => Number(trigger in CANCELS);
  return [...events].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || isCancel(a) - isCancel(b) || a.eventNo - b.eventNo,
  );
}

function withoutCancelled(events: readonly VisitEvent[]): VisitEvent[] {
  const standing: VisitEvent[] = [];
  for (const event of events) {
    const cancelled = CANCELS[event.trigger];
    if (cancelled === undefined) {
      standing.push(event);
      continue;
    }
    const last = standing.findLastIndex(({ trigger }) => cancelled.includes(trigger));
    if (last !== -1) standing.splice(last, 1);
  }
  return standing;
}

/** A visit as it goes on. */
class Visit {
  readonly movements: Movement[] = [];
  unknown: VisitEvent | null = null;
  readonly #stays: Stay[] = [];
  #wasIn = false;
  #unitNo: number | null = null;
  #population: Population = 'adult_and_child';
  #admittedAt: Date | null = null;
  #since: Date | null = null;
  #isOnLeave = false;

  take(event: VisitEvent): void {
    const { trigger, at } = event;
    const isAdmission = ADMITS.has(trigger) || trigger === IN_BEFORE;
    if (!isAdmission && !this.#wasIn && MOVES.has(trigger)) this.unknown ??= event;
    if (isAdmission) this.#admit(event);
    else if (trigger === 'A02' || trigger === 'A17') this.#transfer(event);
    else if (trigger === 'A03') this.#separate(event);
    else if (trigger === 'A21' || trigger === 'A22') this.#leave(at, trigger === 'A21');
  }

  closeStays(): Stay[] {
    this.#endStay(null);
    return this.#stays;
  }

  /** Admitted again while in the house is a second word for the same admission. */
  #admit({ at, unitNo, isBirth, population }: VisitEvent): void {
    if (this.#unitNo !== null || unitNo === null) return;
    this.#wasIn = true;
    this.#population = population;
    this.#admittedAt = at;
    this.#unitNo = unitNo;
    this.#since = at;
    this.#move({ at, kind: isBirth ? 'birth' : 'admission', unitNo });
  }

  /** A move to another bed of the same unit is none; so is one of somebody who is not in. */
  #transfer({ at, unitNo }: VisitEvent): void {
    const from = this.#unitNo;
    if (from === null || unitNo === null || unitNo === from) return;
    this.#endStay(at);
    this.#move({ at, kind: 'transfer_out', unitNo: from, partnerUnitNo: unitNo });
    this.#move({ at, kind: 'transfer_in', unitNo, partnerUnitNo: from });
    this.#unitNo = unitNo;
    this.#since = at;
    this.#isOnLeave = false;
  }

  #separate({ at, isDeath }: VisitEvent): void {
    if (this.#unitNo === null || this.#admittedAt === null) return;
    this.#endStay(at);
    const isUnder48h = isDeath && at.getTime() - this.#admittedAt.getTime() < LONGEST_SHORT_STAY_MS;
    this.#move({ at, kind: isDeath ? 'death' : 'discharge', unitNo: this.#unitNo, isUnder48h });
    this.#unitNo = null;
    this.#admittedAt = null;
    this.#isOnLeave = false;
  }

  #leave(at: Date, isOut: boolean): void {
    if (this.#unitNo === null || this.#isOnLeave === isOut) return;
    this.#endStay(at);
    this.#since = at;
    this.#isOnLeave = isOut;
  }

  #endStay(to: Date | null): void {
    if (this.#unitNo === null || this.#since === null) return;
    const stay = {
      unitNo: this.#unitNo,
      population: this.#population,
      isLeave: this.#isOnLeave,
      from: this.#since,
      to,
    };
    if (to === null || to > this.#since) this.#stays.push(stay);
    this.#since = null;
  }

  #move(moved: Pick<Movement, 'at' | 'kind' | 'unitNo'> & Partial<Movement>): void {
    this.movements.push({ partnerUnitNo: null, population: this.#population, isUnder48h: false, ...moved });
  }
}
