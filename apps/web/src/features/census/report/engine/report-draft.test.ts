import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import { FEED_FIELDS, type FeedField } from '@wardline/contract/census/census.ts';
import { describe, expect, it } from 'vitest';
import { fakeDay, fromIcu, ICU_ID } from '#/features/census/report/testing/fake-report.ts';
import { readKeptDraft } from './kept-draft.ts';
import {
  countsOf,
  draftOf,
  draftOfEntry,
  entryOf,
  feedDraft,
  isSameDraft,
  nilDraft,
  transferTotal,
  wrongTexts,
} from './report-draft.ts';
import { writeNumber, writePartner } from './report-view.ts';

const day = fakeDay({ transfers: [fromIcu(2)] });
const blank = draftOf(day);
const icu = { unit_id: ICU_ID, unit_code: 'ICU', direction: 'in', text: '' } as const;

describe('a report as it is typed', () => {
  it('CEN-1 transfers are the sum of the partners, and not given while nobody said any', () => {
    expect(transferTotal(blank, 'in')).toBeNull();
    expect(transferTotal(writePartner(icu, '2')(blank), 'in')).toBe(2);
    expect(transferTotal(writeNumber('transfers_out', '0')(blank), 'out')).toBe(0);
    expect(transferTotal(writeNumber('transfers_out', '3')(blank), 'out')).toBeNull();
  });

  it('CEN-1 CEN-R3 what is no count is kept, said, and never sent as a number', () => {
    const draft = writeNumber('admissions', '2.5')(blank);
    expect(draft.numbers.admissions).toBe('2.5');
    expect(countsOf(draft).admissions).toBeNull();
    expect(wrongTexts(draft)).toEqual([
      { code: 'INVALID_COUNT', field: 'admissions', message: 'Admissions must be a whole number from 0 to 9999.' },
    ]);
  });

  it('CEN-1 CEN-R16 births of adults and children are 0 without being asked', () => {
    expect(countsOf(blank).births).toBe(0);
    expect(countsOf(draftOf(fakeDay({ population: 'newborn' }))).births).toBeNull();
  });

  it('CEN-1 a nil report writes 0 everywhere but the head count', () => {
    const counts = countsOf(nilDraft(blank));
    expect(counts).toEqual({
      ...Object.fromEntries(Object.keys(counts).map((field) => [field, 0])),
      discharge_days: null,
      counted: null,
    });
  });

  it('F-N2 CEN-1 a nil report tells no discharge days, whatever was typed before', () => {
    expect(countsOf(nilDraft(writeNumber('discharge_days', '12')(blank))).discharge_days).toBeNull();
  });

  it('F-N2 CEN-1 discharge days may have more digits than a count, and are left out where nobody typed them', () => {
    expect(entryOf(writeNumber('discharge_days', '12000')(blank), day).counts.discharge_days).toBe(12_000);
    expect(entryOf(blank, day).counts.discharge_days).toBeNull();
    expect(wrongTexts(writeNumber('discharge_days', '1234567')(blank))).toEqual([
      {
        code: 'INVALID_COUNT',
        field: 'discharge_days',
        message: 'Discharge days must be a whole number from 0 to 999999.',
      },
    ]);
  });

  it('F-N2 CEN-8 the patient system fills discharge days in, and leaves what was typed where it does not know them', () => {
    const counts = Object.fromEntries(FEED_FIELDS.map((name) => [name, 1])) as Record<FeedField, number>;
    const feed = { counts, closing: 23, beds_blocked: 0, transfers: [] };
    const typed = writeNumber('discharge_days', '7')(blank);
    expect(feedDraft(typed, { ...feed, discharge_days: 9 }).numbers.discharge_days).toBe('9');
    expect(feedDraft(typed, { ...feed, discharge_days: null }).numbers.discharge_days).toBe('7');
  });

  it('F-N2 CEN-2 a draft that was kept before there were discharge days is still one', () => {
    const { discharge_days: _, ...numbers } = blank.numbers;
    const kept = readKeptDraft({ base: day, draft: { ...blank, numbers } });
    expect(kept?.draft.numbers.discharge_days).toBe('');
  });

  it('CEN-2 a draft that was kept by a build with other names is still one', () => {
    const kept = readKeptDraft(toStoredNames({ base: day, draft: blank }));
    expect(kept?.base).toEqual(day);
  });

  it('CEN-1 the opening is sent with the first report ever, as it was typed last, and with no other', () => {
    const first = fakeDay({ opening: null, opening_from: null });
    expect(entryOf(writeNumber('seed', '12')(draftOf(first)), first).seed).toBe(12);
    const saved = fakeDay({ opening: 12, opening_from: null });
    expect(entryOf(draftOf(saved), saved).seed).toBe(12);
    expect(entryOf(writeNumber('seed', '21')(draftOf(saved)), saved).seed).toBe(21);
    expect('seed' in entryOf(blank, day)).toBe(false);
  });

  it('CEN-2 a draft comes back from what was sent of it', () => {
    const draft = writePartner(icu, '2')(writeNumber('discharges', '4')(blank));
    const entry = { ...entryOf(draft, day), submit: true };
    expect(isSameDraft(draftOfEntry(entry, day), draft)).toBe(true);
  });

  it('CEN-2 03 is 3, but 3 is not nothing: a draft is known by what it says', () => {
    const three = writeNumber('deaths', '3')(blank);
    expect(isSameDraft(three, writeNumber('deaths', '03')(blank))).toBe(true);
    expect(isSameDraft(three, blank)).toBe(false);
  });
});
