import type { AlertRule } from '#/features/census/alerts/alert-rules.ts';
import type { PersonKey } from '../people.ts';

/** What is told of the newest days, so that each page has something to show; days are counted back from the newest. */
export interface Story {
  /** No report. */
  readonly missing: readonly { readonly code: string; readonly daysBack: number }[];
  /** How many patients are left at the end of the day. */
  readonly closings: Readonly<Record<number, Readonly<Record<string, number>>>>;
  /** All moves of the newest day; `received` where the other side says another number. */
  readonly moves: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly received?: number;
  }[];
  readonly late: readonly { readonly code: string; readonly daysBack: number }[];
  /** Handed in, and not approved yet. */
  readonly unapproved: readonly { readonly code: string; readonly daysBack: number }[];
  readonly returned: readonly { readonly code: string; readonly daysBack: number; readonly reason: string }[];
  /** A slip that was found later: the day and its next were one discharge short, and their openings and closings one high. */
  readonly lateSlips: readonly { readonly code: string; readonly daysBack: number; readonly reason: string }[];
  /** Alerts of the newest day, the oldest first; a few minutes later somebody may have taken one on. */
  readonly alerts: readonly {
    readonly rule: AlertRule;
    readonly code: string;
    readonly afterMinutes: number;
    readonly takenBy: PersonKey | null;
  }[];
}

export const BRIGID_STORY: Story = {
  missing: [
    { code: 'ICU', daysBack: 0 },
    { code: 'MED 3A', daysBack: 0 },
    { code: 'PED', daysBack: 21 },
  ],
  closings: {
    1: { 'MED 3A': 24, 'SUR 2B': 18, ICU: 9, ED: 7, PED: 9, ONC: 17 },
    0: { 'SUR 2B': 19, MAT: 10, NUR: 9, PED: 9, ONC: 17, ED: 6 },
  },
  moves: [
    { from: 'ED', to: 'MED 3A', count: 2 },
    { from: 'ED', to: 'SUR 2B', count: 2 },
    { from: 'ED', to: 'ICU', count: 1 },
    { from: 'ED', to: 'PED', count: 1 },
    { from: 'MED 3A', to: 'SUR 2B', count: 1 },
    { from: 'MED 3A', to: 'ONC', count: 1 },
    { from: 'SUR 2B', to: 'ICU', count: 1 },
    { from: 'SUR 2B', to: 'ONC', count: 2, received: 1 },
    { from: 'ICU', to: 'SUR 2B', count: 1 },
    { from: 'PED', to: 'SUR 2B', count: 1 },
  ],
  late: [{ code: 'PED', daysBack: 0 }],
  unapproved: [{ code: 'SUR 2B', daysBack: 0 }],
  returned: [
    {
      code: 'MED 3A',
      daysBack: 2,
      reason: 'Two discharges are on the slips that the report does not have. Please check.',
    },
  ],
  lateSlips: [
    { code: 'MED 3A', daysBack: 9, reason: 'Discharge at 23:20, the slip was found in the morning.' },
    { code: 'ONC', daysBack: 17, reason: 'Discharged to the hospice in the evening, not on the ward list.' },
  ],
  alerts: [
    { rule: 'over_high', code: 'ONC', afterMinutes: 150, takenBy: 'owen' },
    { rule: 'transfer_gap', code: 'SUR 2B', afterMinutes: 165, takenBy: null },
  ],
};

export const HARBOUR_STORY: Story = {
  missing: [],
  closings: {},
  moves: [],
  late: [{ code: 'DAY', daysBack: 0 }],
  unapproved: [{ code: 'DAY', daysBack: 0 }],
  returned: [],
  lateSlips: [],
  alerts: [],
};

/** The late slip that moved a day’s numbers, of a unit or of any: of the day itself, or of the one after it. */
export function slipOn(
  story: Story,
  { code, daysBack }: { code?: string; daysBack: number },
): { readonly reason: string; readonly isNext: boolean } | null {
  const slip = story.lateSlips.find(
    (told) => (code === undefined || told.code === code) && [0, 1].includes(told.daysBack - daysBack),
  );
  return slip ? { reason: slip.reason, isNext: slip.daysBack !== daysBack } : null;
}
