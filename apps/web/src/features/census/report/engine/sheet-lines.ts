import type { CountField } from '@wardline/contract/census/census.ts';

/** How a count stands on the sheet. */
export interface SheetLine {
  /** Where it is not the count's own. */
  readonly label?: string;
  readonly sign?: '+' | '−';
  readonly hint?: string;
  /** A part of the lines above it. */
  readonly isPart?: boolean;
  readonly isHeadCount?: boolean;
}

export type SheetField = CountField | 'opening' | 'closing';

/** The sheet from above, with the closing as it comes about; the focus goes the same way. */
export const SHEET_LINES: Readonly<Record<SheetField, SheetLine>> = {
  opening: {},
  admissions: { sign: '+', hint: 'including same-day' },
  births: { sign: '+' },
  transfers_in: { sign: '+' },
  discharges: { sign: '−', hint: 'including same-day' },
  deaths: { sign: '−', hint: 'including same-day' },
  deaths_u48: { label: 'of which under 48 h', isPart: true },
  discharge_days: { isPart: true },
  transfers_out: { sign: '−' },
  closing: {},
  ad_same_day: { hint: 'of the above; each counts one service day', isPart: true },
  on_leave: { hint: 'at the census hour', isPart: true },
  observation: { hint: 'of those in the unit', isPart: true },
  counted: { hint: 'walk the unit, count people, not beds', isHeadCount: true },
};

export const SHEET_FIELDS = Object.keys(SHEET_LINES) as readonly SheetField[];
