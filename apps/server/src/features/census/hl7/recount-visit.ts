import type { Transaction } from '#/platform/http/context.ts';
import { eventDate } from './event-date.ts';
import type { Feed } from './feed.ts';
import { isSameOutcome, movedLeaves, type Outcome, touchedCounts } from './outcome.ts';
import { isAnyHandedIn } from './proposal-queries.ts';
import type { Told } from './propose-corrections.ts';
import { type Movement, replayVisit, type VisitEvent } from './replay.ts';
import { type AskedAbout, settleUnknownStay } from './unknown-stays.ts';
import { type KnownVisit, storeOutcome } from './visit-queries.ts';

const NOTHING: Outcome = { movements: [], stays: [] };

interface Recounted extends KnownVisit {
  /** What was made of another visit that has become this one. */
  readonly merged?: Outcome;
  /** What the message in hand says of it besides. */
  readonly said?: AskedAbout;
}

/** Works the visit out anew from all that is known of it; what comes to the same is not written again. */
export async function recount(
  tx: Transaction,
  feed: Feed,
  { visitKey, events, outcome, merged, said }: Recounted,
): Promise<Told[]> {
  const { place, clocks } = feed;
  const { movements, stays, unknown } = replayVisit(events);
  const dated = movements.map((movement) => ({ ...movement, date: eventDate(movement.at, clocks) }));
  const next: Outcome = {
    movements: dated.map((movement, index) => ({ ...movement, isSameDay: isSameDay(dated, index) })),
    stays,
  };
  const before = {
    movements: [...outcome.movements, ...(merged ?? NOTHING).movements],
    stays: [...outcome.stays, ...(merged ?? NOTHING).stays],
  };
  const touched = touchedCounts(before, next);
  const isAnyIn = isSameOutcome(outcome, next)
    ? await isAnyHandedIn(tx, touched)
    : await storeOutcome(tx, { facilityNo: place.facility_no, visitKey, ...next }, touched);
  // Nearly all are about somebody who is known: for them the database is not asked.
  const isQuestion = unknown !== null || merged !== undefined || wasUnknown(events);
  const asked = isQuestion ? await settleUnknownStay(tx, feed, { visitKey, unknown, said }) : null;
  return [{ touched, leaves: movedLeaves(before, next), isAnyIn, asked }];
}

/** Whether somebody may have been asked about it before the newest of its events came. */
function wasUnknown(events: readonly VisitEvent[]): boolean {
  const newest = Math.max(...events.map(({ eventNo }) => eventNo));
  return replayVisit(events.filter(({ eventNo }) => eventNo !== newest)).unknown !== null;
}

/** Separated on the census date of the admission that it ends. */
function isSameDay(movements: readonly (Movement & { date: string })[], index: number): boolean {
  const movement = movements[index];
  if (movement?.kind !== 'discharge' && movement?.kind !== 'death') return false;
  const admitted = movements.slice(0, index).findLast(({ kind }) => kind === 'admission' || kind === 'birth');
  return admitted?.date === movement.date;
}
