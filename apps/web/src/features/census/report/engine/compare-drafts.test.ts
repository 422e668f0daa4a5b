import { expect, it } from 'vitest';
import { fakeDay, ICU_ID } from '#/features/census/report/testing/fake-report.ts';
import { differencesOf, firstChoice, mergeDrafts } from './compare-drafts.ts';
import { draftOf } from './report-draft.ts';
import { formatWrite, writeNumber, writePartner } from './report-view.ts';

const base = writeNumber('discharges', '2')(draftOf(fakeDay()));
const icu = { unit_id: ICU_ID, unit_code: 'ICU', direction: 'in', text: '' } as const;
const mine = writePartner(icu, '3')(writeNumber('discharges', '4')(base));
const theirs = formatWrite('note', 'Bed 12 moved.')(writeNumber('discharges', '5')(writeNumber('on_leave', '1')(base)));

it('CEN-2 CEN-R13 two versions are compared field by field with what both began from', () => {
  expect(differencesOf({ base, mine, theirs })).toEqual([
    { key: 'discharges', label: 'Discharges', base: '2', mine: '4', theirs: '5', isContested: true },
    { key: 'on_leave', label: 'On leave', base: '', mine: '', theirs: '1', isContested: false },
    { key: `in ${ICU_ID}`, label: 'Transfers in, ICU', base: '', mine: '3', theirs: '', isContested: false },
    { key: 'note', label: 'Note', base: '', mine: '', theirs: 'Bed 12 moved.', isContested: false },
  ]);
});

it('CEN-2 who alone changed a field is taken at their word; where both did, one’s own stands first', () => {
  expect(differencesOf({ base, mine, theirs }).map(firstChoice)).toEqual(['mine', 'theirs', 'mine', 'theirs']);
});

it('CEN-2 the merged report is theirs with what was chosen of mine', () => {
  const merged = mergeDrafts(
    { base, mine, theirs },
    { discharges: 'mine', on_leave: 'theirs', [`in ${ICU_ID}`]: 'mine' },
  );
  expect(merged.numbers).toMatchObject({ discharges: '4', on_leave: '1' });
  expect(merged.transfers).toEqual([{ ...icu, text: '3' }]);
  expect(merged.text.note).toBe('Bed 12 moved.');
});
