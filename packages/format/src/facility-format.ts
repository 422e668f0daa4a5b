/** Hours from 0 to 23, or 1 to 12 with AM and PM; named as `Intl` does. */
export type HourCycle = 'h23' | 'h12';

/** `Sat 21 Nov 2026`, or `Sat Nov 21, 2026`. */
export type DateOrder = 'dmy' | 'mdy';

/** How a facility writes times and dates. Words, month names and separators of numbers are English everywhere. */
export interface FacilityFormat {
  readonly hour_cycle: HourCycle;
  readonly date_order: DateOrder;
}

/** Where a facility has said nothing, and for what belongs to none. */
export const USUAL_FORMAT: FacilityFormat = { hour_cycle: 'h23', date_order: 'dmy' };
