import { COUNT_FIELDS, type Counts, REQUIRED_FIELDS } from '@wardline/contract/census/census.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf, NO_COUNTS, nilCounts, parseCount } from './balance.ts';
import {
  draftFindings,
  isGap,
  isReason,
  labelOf,
  type ReportInput,
  submitFindings,
  totalFinding,
  transferGap,
} from './rules.ts';

const beds = { licensed: 30, physical: 30, staffed: 28, surge: 4, blocked: 1 };
/** The drawn report of MED 3A: 24 + 6 − 8 = 22. */
const report: ReportInput = {
  unit_id: 'med',
  population: 'adult_and_child',
  opening: 24,
  previous_closing: 24,
  counts: {
    ...nilCounts(22),
    admissions: 3,
    transfers_in: 3,
    discharges: 4,
    deaths: 1,
    transfers_out: 3,
    ad_same_day: 1,
    discharge_days: 31,
    observation: 1,
  },
  transfers: [
    { unit_id: 'ed', direction: 'in', count: 2 },
    { unit_id: 'icu', direction: 'in', count: 1 },
    { unit_id: 'sur', direction: 'out', count: 1 },
    { unit_id: 'icu', direction: 'out', count: 1 },
    { unit_id: 'onc', direction: 'out', count: 1 },
  ],
  beds,
  variance_reason: null,
  capacity_reason: null,
};

const withCounts = (counts: Partial<Counts>, more: Partial<ReportInput> = {}): ReportInput => ({
  ...report,
  ...more,
  counts: { ...report.counts, ...counts },
});
const codes = (findings: readonly { code: string; field: string | null }[]) =>
  findings.map(({ code, field }) => `${code} ${field}`);
const draft = (input: ReportInput) => codes(draftFindings(input));
const submit = (input: ReportInput) => codes(submitFindings(input));

describe('a report that is right', () => {
  it('CEN-2 has no finding, as a draft and when it is handed in', () => {
    expect(draftFindings(report)).toEqual([]);
    expect(submitFindings(report)).toEqual([]);
  });

  it('CEN-2 may lack anything while it is a draft', () => {
    expect(
      draftFindings({ ...report, opening: null, previous_closing: null, counts: NO_COUNTS, transfers: [] }),
    ).toEqual([]);
    for (const field of COUNT_FIELDS) {
      const found = draftFindings(withCounts({ [field]: null }));
      expect(found, field).toEqual([]);
    }
  });
});

describe('discharge days', () => {
  const left = { discharges: 4, deaths: 1 };

  it('F-N2 CEN-2 may stay not given when a report is handed in', () => {
    expect(submit(withCounts({ discharge_days: null }))).toEqual([]);
  });

  it('F-N2 CEN-2 are a day at least for each who was discharged or died, whose stay of one day is one', () => {
    expect(draft(withCounts({ ...left, discharge_days: 5 }))).toEqual([]);
    expect(draftFindings(withCounts({ ...left, discharge_days: 4 }))).toEqual([
      {
        code: 'DISCHARGE_DAYS_MISMATCH',
        field: 'discharge_days',
        message: '5 were discharged or died, each after a day at least; 4 discharge days are too few.',
      },
    ]);
    expect(draft(withCounts({ discharges: null, discharge_days: 1 }))).toEqual([]);
  });

  it('F-N2 CEN-2 are none where nobody left', () => {
    const nobody = { discharges: 0, deaths: 0, ad_same_day: 0, counted: 27 };
    expect(draft(withCounts({ ...nobody, discharge_days: 0 }))).toEqual([]);
    expect(draft(withCounts({ ...nobody, discharge_days: 3 }))).toEqual(['DISCHARGE_DAYS_MISMATCH discharge_days']);
  });

  it('F-N2 CEN-2 may be more than any other count: somebody stayed for years', () => {
    expect(draft(withCounts({ discharge_days: 12_000 }))).toEqual([]);
    const [wrong] = draftFindings(withCounts({ discharge_days: 1_000_000 }));
    expect(wrong?.message).toBe('Discharge days must be a whole number from 0 to 999999.');
    expect([parseCount('12000', 'discharge_days'), parseCount('12000', 'discharges')]).toEqual([12_000, undefined]);
  });
});

describe('what is missing or no number', () => {
  it('CEN-2 CEN-R3 a blank is named, count by count, and cannot be handed in', () => {
    for (const field of REQUIRED_FIELDS) {
      expect(submit(withCounts({ [field]: null })), field).toEqual([`MISSING_VALUE ${field}`]);
    }
    const [blank] = submitFindings(withCounts({ discharges: null }));
    expect(blank?.message).toBe('Discharges not entered. Enter 0 if there were none.');
  });

  it('CEN-2 CEN-R3 a first report says how many were there before it', () => {
    const first = { ...report, opening: null, previous_closing: null };
    expect(draft(first)).toEqual([]);
    expect(submit(first)).toEqual(['MISSING_VALUE seed']);
  });

  it.each([-1, 2.5, 10_000, Number.NaN, Number.POSITIVE_INFINITY])('CEN-2 CEN-R3 %d is no count', (value) => {
    expect(draft(withCounts({ observation: value }))).toEqual(['INVALID_COUNT observation']);
    const [bad] = draftFindings(withCounts({ observation: value }));
    expect(bad?.message).toBe(`${labelOf('observation')} must be a whole number from 0 to 9999.`);
  });
});

describe('the arithmetic', () => {
  it('CEN-2 CEN-R1 a typed total of 21 where 22 are computed is refused', () => {
    expect(draftFindings({ ...report, typed_closing: 21 })).toEqual([
      { code: 'UNBALANCED', field: 'closing', message: 'The total entered is 21; what was counted comes to 22.' },
    ]);
    expect(draft({ ...report, typed_closing: 22 })).toEqual([]);
    expect(draft({ ...report, typed_closing: null })).toEqual([]);
    expect(draft(withCounts({ deaths: null }, { typed_closing: 21 }))).toEqual([]);
  });

  it('CEN-2 CEN-R2 an opening that is not the closing before is refused; without one before, any is right', () => {
    expect(draftFindings({ ...report, opening: 23 })[0]).toEqual({
      code: 'OPENING_MISMATCH',
      field: 'opening',
      message: 'The day before closed with 24; that is the opening.',
    });
    expect(draft({ ...report, opening: null })).toEqual(['OPENING_MISMATCH opening']);
    expect(draft({ ...report, previous_closing: null })).toEqual([]);
  });

  it('CEN-2 CEN-R4 more same-day patients than separations are refused, also while the rest is blank', () => {
    const late = { discharges: 1, deaths: 1, ad_same_day: 3 };
    const nobodyElse = { ...NO_COUNTS, ...late };
    expect(draft(withCounts(late))).toEqual(['AD_EXCEEDS_SEPARATIONS ad_same_day']);
    expect(draft({ ...report, counts: nobodyElse })).toEqual(['AD_EXCEEDS_SEPARATIONS ad_same_day']);
    expect(draft({ ...report, counts: { ...nobodyElse, deaths: null } })).toEqual([]);
    expect(draft({ ...report, counts: { ...nobodyElse, discharges: null } })).toEqual([]);
    expect(draft({ ...report, counts: { ...nobodyElse, ad_same_day: null } })).toEqual([]);
  });

  it('CEN-2 CEN-R4 nor can there be more of them than came in', () => {
    const few = { admissions: 1, births: 0, transfers_in: 3, ad_same_day: 5 };
    expect(draft(withCounts(few))).toEqual(['AD_EXCEEDS_ADMISSIONS ad_same_day']);
    for (const field of ['admissions', 'births', 'transfers_in'] as const) {
      expect(draft(withCounts({ ...few, [field]: null })), field).toEqual([]);
    }
  });

  it('CEN-2 CEN-R5 deaths under 48 h are part of the deaths', () => {
    expect(draftFindings(withCounts({ deaths_u48: 2 }))).toEqual([
      { code: 'SUBSET_EXCEEDS_TOTAL', field: 'deaths_u48', message: 'Of 1 deaths, 2 cannot be under 48 h.' },
    ]);
    expect(draft(withCounts({ deaths_u48: 2, deaths: null }))).toEqual([]);
    expect(draft(withCounts({ deaths_u48: null }))).toEqual([]);
  });

  it('CEN-2 CEN-R6 more cannot leave than were there', () => {
    const empty = withCounts({ ...nilCounts(0), discharges: 5 }, { opening: 3, previous_closing: 3, transfers: [] });
    expect(draftFindings(empty)).toEqual([
      {
        code: 'NEGATIVE_CLOSING',
        field: 'closing',
        message: 'More patients left than were in the unit: the closing would be −2.',
      },
    ]);
    expect(draft({ ...empty, opening: null, previous_closing: null })).toEqual([]);
  });

  it('CEN-2 CEN-R3 a closing that is no count any more is refused, since the next day could not open with it', () => {
    const packed = withCounts({ ...nilCounts(0), admissions: 9999 }, { transfers: [] });
    expect(draft(packed)).toEqual(['INVALID_COUNT closing']);
    expect(draft({ ...packed, opening: 0, previous_closing: 0 })).toEqual([]);
  });

  it('CEN-2 CEN-R14 more cannot be on leave than are left', () => {
    expect(draft(withCounts({ on_leave: 23 }))).toEqual(['LEAVE_EXCEEDS_CENSUS on_leave']);
    expect(draft(withCounts({ on_leave: 22 }))).toEqual([]);
    expect(draft(withCounts({ on_leave: 23, deaths: null }))).toEqual([]);
  });

  it('CEN-2 1.3 observation patients are some of those in the unit', () => {
    const [wrong] = draftFindings(withCounts({ observation: 23 }));
    expect(wrong).toEqual({
      code: 'SUBSET_EXCEEDS_TOTAL',
      field: 'observation',
      message: 'Of 22 patients, 23 cannot be observation patients.',
    });
    expect(draft(withCounts({ observation: 22 }))).toEqual([]);
    expect(draft(withCounts({ observation: 23, deaths: null }))).toEqual([]);
    expect(draft(withCounts({ observation: 1, discharges: 30 }))).toEqual(['NEGATIVE_CLOSING closing']);
  });

  it('CEN-2 CEN-R16 births are counted for newborns only', () => {
    expect(draft(withCounts({ births: 1 }))).toEqual(['BIRTHS_NOT_ALLOWED births']);
    expect(draft(withCounts({ births: 1 }, { population: 'newborn' }))).toEqual([]);
    expect(draft(withCounts({ births: null }))).toEqual([]);
  });

  it('CEN-2 no more beds can be staffed than are set up or opened as surge', () => {
    expect(draft({ ...report, beds: { ...beds, staffed: 34 } })).toEqual([]);
    expect(draftFindings({ ...report, beds: { ...beds, staffed: 35 } })).toEqual([
      { code: 'STAFFED_EXCEEDS_BEDS', field: 'beds_staffed', message: 'More beds are staffed than there are.' },
    ]);
    const unplanned = { licensed: 0, physical: 0, staffed: 14, surge: 0, blocked: 0 };
    expect(draft({ ...report, beds: unplanned })).toEqual([]);
  });

  it('CEN-2 no more beds can be blocked than there are, or than are staffed', () => {
    const blocked = (count: number, staffed = 28) =>
      draftFindings({ ...report, beds: { ...beds, staffed, blocked: count } });
    const refused = { code: 'BLOCKED_EXCEEDS_BEDS', field: 'beds_blocked' };
    expect(blocked(28)).toEqual([]);
    expect(blocked(29)).toEqual([{ ...refused, message: 'More beds are blocked than are staffed.' }]);
    expect(blocked(34, 34)).toEqual([]);
    expect(blocked(35, 34)).toEqual([{ ...refused, message: 'More beds are blocked than there are.' }]);
  });
});

describe('the last day of a unit', () => {
  it('CEN-3 is handed in with nobody left, and says at the closing how many are', () => {
    const last = { ...report, is_last_day: true };
    expect(draft(last)).toEqual([]);
    expect(submitFindings(last)).toEqual([
      {
        code: 'UNIT_CLOSES',
        field: 'closing',
        message:
          'The unit closes after this day, and 22 patients are left in it. Enter where they went, or have its last day changed.',
      },
    ]);
    expect(submit({ ...withCounts({ discharges: 26, counted: 0, observation: 0 }), is_last_day: true })).toEqual([]);
    expect(submit({ ...report, is_last_day: false })).toEqual([]);
  });
});

describe('the words that a report may need', () => {
  it('CEN-1 a head count that differs needs a reason of five characters, and a balance to differ from', () => {
    const varied = withCounts({ counted: 21 });
    expect(draft(varied)).toEqual([]);
    expect(submitFindings(varied)).toEqual([
      {
        code: 'VARIANCE_NEEDS_REASON',
        field: 'variance_reason',
        message: '21 were counted, 22 are computed. Correct a number, or say why they differ.',
      },
    ]);
    for (const variance_reason of [null, '', 'late', '  late   ']) {
      expect(submit({ ...varied, variance_reason })).toEqual(['VARIANCE_NEEDS_REASON variance_reason']);
    }
    expect(submit({ ...varied, variance_reason: 'at the scanner' })).toEqual([]);
    expect(submit(withCounts({ counted: 21, deaths: null }))).toEqual(['MISSING_VALUE deaths']);
  });

  it('CEN-1 somebody counted in a unit that is empty by its numbers needs a reason as well', () => {
    const empty = withCounts({ discharges: 26, ad_same_day: 0, observation: 0, counted: 1 });
    expect(submit(empty)).toEqual(['VARIANCE_NEEDS_REASON variance_reason']);
    expect(submit(withCounts({ on_leave: 22, observation: 0, counted: 1 }))).toEqual([
      'VARIANCE_NEEDS_REASON variance_reason',
    ]);
  });

  it('CEN-1 people on leave are not in the ward to be counted', () => {
    expect(submit(withCounts({ on_leave: 2, counted: 20 }))).toEqual([]);
    expect(submit(withCounts({ on_leave: 2, counted: 22 }))).toEqual(['VARIANCE_NEEDS_REASON variance_reason']);
  });

  it('CEN-1 CEN-2 a reason for a head count holds for the difference it was given for, and for no other', () => {
    const varied = withCounts({ counted: 21 });
    const said = { variance_reason: 'at the scanner' };
    const other = submitFindings({ ...varied, ...said, variance_for: -2 });
    expect(other).toEqual([
      {
        code: 'VARIANCE_NEEDS_REASON',
        field: 'variance_reason',
        message: 'The head count differs by −1, and the reason was given for −2. Say why anew, or keep it.',
      },
    ]);
    expect(submit({ ...varied, ...said, variance_for: -1 })).toEqual([]);
    expect(submit({ ...varied, ...said, variance_for: null })).toEqual([]);
  });

  it('CEN-2 CEN-R20 more patients and blocked beds than physical beds need words, and words are enough', () => {
    const full = { ...report, beds: { ...beds, blocked: 9 } };
    expect(draft(full)).toEqual([]);
    expect(submitFindings(full)).toEqual([
      {
        code: 'OVER_CAPACITY_NEEDS_REASON',
        field: 'capacity_reason',
        message: '22 patients and 9 blocked beds are more than the 30 beds. Say where they are.',
      },
    ]);
    expect(submit({ ...full, capacity_reason: 'Bay 4' })).toEqual([]);
    expect(submit({ ...report, beds: { ...beds, blocked: 8 } })).toEqual([]);
  });

  it('CEN-2 CEN-R20 a place without beds of its own cannot be over them', () => {
    expect(submit({ ...report, beds: { licensed: 0, physical: 0, staffed: 0, surge: 0, blocked: 0 } })).toEqual([]);
  });

  it('CEN-3 CEN-R19 words say something from five characters on', () => {
    expect([null, undefined, '', '    ', 'four', ' four '].filter((text) => isReason(text))).toEqual([]);
    expect(isReason(' fives')).toBe(true);
  });

  it.each([
    ['zero-width spaces', '\u200b'.repeat(9)],
    ['joiners and marks of direction', '\u200d\u2060\ufeff\u200e\u202e\u2066'],
    ['soft hyphens around four letters', '\u00adf\u00ado\u00adu\u00adr\u00ad'],
    ['fillers and blank braille', '\u3164\u115f\uffa0\u2800\u2800\u034f'],
  ])('F-N14 CEN-R20 %s are no reason', (_what, text) => {
    expect(isReason(text)).toBe(false);
    expect(submit(withCounts({ counted: 21 }, { variance_reason: text }))).toEqual([
      'VARIANCE_NEEDS_REASON variance_reason',
    ]);
  });
});

describe('transfers by partner', () => {
  it('CEN-3 CEN-R8 a unit cannot transfer to itself', () => {
    const transfers = [...report.transfers.slice(1), { unit_id: 'med', direction: 'in' as const, count: 2 }];
    expect(draft({ ...report, transfers })).toEqual(['TRANSFER_SELF transfers']);
  });

  it('CEN-3 CEN-R9 a partner stands once in each direction', () => {
    const transfers = [...report.transfers.slice(1), { unit_id: 'icu', direction: 'in' as const, count: 2 }];
    expect(draft({ ...report, transfers })).toEqual(['DUPLICATE transfers_in']);
  });

  it('CEN-3 CEN-R1 partners add up to the transfers; a total that is not given yet says nothing', () => {
    const transfers = report.transfers.slice(1);
    expect(draftFindings({ ...report, transfers })).toEqual([
      { code: 'UNBALANCED', field: 'transfers_in', message: 'Transfers in is 3, but the partners add up to 1.' },
    ]);
    expect(draft(withCounts({ transfers_in: null }, { transfers }))).toEqual([]);
    expect(draft({ ...report, transfers: [] })).toEqual(['UNBALANCED transfers_in', 'UNBALANCED transfers_out']);
  });

  const move = (out_count: number | null, in_count: number | null, is_both_in = true) => ({
    out_count,
    in_count,
    is_both_in,
  });

  it('CEN-3 CEN-R7 sent 3 and received 2 is a gap of 1, in whichever direction it differs', () => {
    expect(isGap(move(3, 2))).toBe(true);
    expect(isGap(move(2, 2))).toBe(false);
    expect(transferGap([move(3, 2), move(1, 2)])).toBe(2);
  });

  it('CEN-3 CEN-R7 a side that handed in and said nothing stands for none', () => {
    expect(isGap(move(1, null))).toBe(true);
    expect(isGap(move(null, 1))).toBe(true);
    expect(isGap(move(0, null))).toBe(false);
    expect(transferGap([move(null, 4), move(2, null), move(null, 0)])).toBe(6);
    expect(transferGap([])).toBe(0);
  });

  it('CEN-3 CEN-R7 while a side has not handed in there is no gap, whatever the other says', () => {
    expect(isGap(move(3, 2, false))).toBe(false);
    expect(transferGap([move(8, null, false), move(3, 2)])).toBe(1);
  });

  it('CEN-3 where every move is told by both sides the transfers of a facility come to nothing', () => {
    const moves = fc.array(fc.record({ out_count: fc.nat(9), in_count: fc.nat(9), is_both_in: fc.constant(true) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(moves, (cells) => {
        const agreed = cells.map((cell) => ({ ...cell, in_count: cell.out_count }));
        expect(transferGap(agreed)).toBe(0);
        const off = cells.filter(isGap).length;
        expect(transferGap(cells)).toBeGreaterThanOrEqual(off);
        expect(transferGap(cells) === 0).toBe(off === 0);
      }),
    );
  });
});

describe('a total that comes from elsewhere', () => {
  const units = [
    { unit_code: 'MED', closing: 200 },
    { unit_code: 'SUR', closing: 157 },
    { unit_code: 'ICU', closing: 13 },
  ];

  it('CEN-3 CEN-R17 370 with the ICU added once more is named as that', () => {
    expect(totalFinding(383, units)).toEqual({
      code: 'DOUBLE_COUNT',
      field: 'total',
      message: '383 counts ICU twice: the units add up to 370, and its 13 are in that already.',
    });
  });

  it('CEN-3 CEN-R17 the sum itself is right, and any other number is only wrong', () => {
    expect(totalFinding(370, units)).toBeNull();
    expect(totalFinding(371, units)).toEqual({
      code: 'UNBALANCED',
      field: 'total',
      message: 'The total entered is 371; the units add up to 370.',
    });
    expect(totalFinding(0, [])).toBeNull();
    expect(totalFinding(5, [{ unit_code: 'DAY', closing: 0 }])?.code).toBe('UNBALANCED');
  });
});

describe('the rules together', () => {
  const count = fc.option(fc.nat(30));
  const counts = fc.record(Object.fromEntries(COUNT_FIELDS.map((field) => [field, count]))) as fc.Arbitrary<Counts>;

  it('CEN-2 whatever is typed, a report without findings balances: nothing negative, nothing blank, no part above its whole', () => {
    const given = fc.record({ counts, opening: count, varied: fc.boolean() });
    fc.assert(
      fc.property(given, ({ counts: typed, opening, varied }) => {
        const input: ReportInput = {
          ...report,
          population: 'newborn',
          opening,
          previous_closing: null,
          counts: typed,
          transfers: [
            { unit_id: 'a', direction: 'in', count: typed.transfers_in ?? 0 },
            { unit_id: 'a', direction: 'out', count: typed.transfers_out ?? 0 },
          ],
          variance_reason: varied ? 'counted again' : null,
          capacity_reason: 'in the day room',
        };
        if (submitFindings(input).length > 0) return;
        const full = { ...typed, opening } as { [Field in keyof Counts]: number } & { opening: number };
        for (const field of REQUIRED_FIELDS) expect(full[field]).not.toBeNull();
        const { closing, present } = balanceOf(full);
        expect(closing).toBeGreaterThanOrEqual(0);
        expect(present).toBeGreaterThanOrEqual(0);
        expect(full.deaths_u48).toBeLessThanOrEqual(full.deaths);
        expect(full.ad_same_day).toBeLessThanOrEqual(full.discharges + full.deaths);
        expect(varied || full.counted === present).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('CEN-2 what a draft may not hold, a submission may not either', () => {
    fc.assert(
      fc.property(counts, count, (typed, opening) => {
        const input = { ...report, counts: typed, opening };
        const all = submit(input);
        for (const found of draft(input)) expect(all).toContain(found);
      }),
    );
  });
});
