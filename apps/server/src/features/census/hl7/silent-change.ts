import { replayVisit, type VisitEvent } from './replay.ts';

/** An update that tells of a move, or of an end as an inpatient, which no event of its own told. */
export interface SilentChange {
  readonly at: Date;
  /** Where the visit is by all that was told. */
  readonly unitNo: number;
  /** The unit that the update names; null: it says that the visit is no inpatient's. */
  readonly namedUnitNo: number | null;
}

/** What the newest event, an update, says otherwise than the moves of its visit; null where it does not, or one before it did. */
export function silentChange(events: readonly VisitEvent[]): SilentChange | null {
  const update = events.reduce((newest, event) => (event.eventNo > newest.eventNo ? event : newest));
  const stay = replayVisit(events).stays.find(({ from, to }) => from <= update.at && (to === null || update.at < to));
  if (!stay) return null;
  const isSame = ({ trigger, unitNo }: VisitEvent) =>
    trigger === update.trigger && (trigger !== 'A08' || unitNo === update.unitNo);
  if (events.some((event) => event !== update && event.at >= stay.from && isSame(event))) return null;
  const told = { at: update.at, unitNo: stay.unitNo };
  if (update.trigger !== 'A08') return { ...told, namedUnitNo: null };
  const isElsewhere = update.unitNo !== null && update.unitNo !== stay.unitNo;
  return isElsewhere ? { ...told, namedUnitNo: update.unitNo } : null;
}
