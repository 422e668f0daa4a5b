import { NO_COUNTS } from '@wardline/census/balance.ts';
import { describe, expect, it } from 'vitest';
import { draftOf, entryOf } from '#/features/census/report/engine/report-draft.ts';
import { cellText, type GridField, partOf, partOfText, readOnlyBecause, readRow, withPart } from './grid-entry.ts';
import { ids, unitDay } from './testing/fake-grid.tsx';

const med = unitDay(ids.med, 'MED 3A', { counts: { ...NO_COUNTS, births: 0, admissions: 4 } });
const write = (day: typeof med, field: GridField, text: string, draft = draftOf(day)) =>
  withPart(draft, field, partOfText(day, draft, { field, text }));

describe('CEN-4 one row read by the rules', () => {
  it.each(['-1', '2.5', '1e3', '1,234', 'x'])(
    'CEN-4 CEN-R3 %j is refused at its cell, and nothing of the row is sent',
    (text) => {
      const { isReadable, errors } = readRow(med, write(med, 'discharges', text));
      expect(isReadable).toBe(false);
      expect(errors).toEqual({ discharges: `“${text}” is not a whole number from 0 to 9999.` });
    },
  );

  it('CEN-2 CEN-4 beds that the unit does not have keep its row from being sent, as the report says them', () => {
    const { isReadable, errors } = readRow(med, {
      ...draftOf(med),
      numbers: { ...draftOf(med).numbers, beds_staffed: '31' },
    });
    expect(isReadable).toBe(false);
    expect(errors).toEqual({ closing: 'More beds are staffed than there are.' });
  });

  it('CEN-4 3.6 the opening of a first report can be typed anew once it is saved, a carried one cannot', () => {
    const first = unitDay(ids.med, 'MED 3A', { opening: 12, opening_from: null, may: { ...med.may, edit: true } });
    expect([readOnlyBecause(first, 'seed'), cellText(first, draftOf(first), 'seed')]).toEqual([null, '12']);
    expect(entryOf(write(first, 'seed', '21'), first).seed).toBe(21);
    expect(readOnlyBecause(med, 'seed')).toBe('The opening is the closing of the day before.');
    expect(cellText(med, draftOf(med), 'seed')).toBe('20');
  });

  it('CEN-4 transfers are what the partners say, none, or said in the report', () => {
    const moves = unitDay(ids.sur, 'SUR 2B', {
      transfers: [
        { unit_id: ids.icu, unit_code: 'ICU', direction: 'in', mine: null, theirs: 2, partner_status: 'submitted' },
      ],
    });
    const sent = (text: string) => entryOf(write(moves, 'transfers_in', text), moves).transfers;
    expect(sent('2')).toEqual([{ unit_id: ids.icu, direction: 'in', count: 2 }]);
    expect(sent('0')).toEqual([]);
    expect(readRow(moves, write(moves, 'transfers_in', '3'))).toMatchObject({
      isReadable: false,
      errors: { transfers_in: 'SUR 2B received them from which unit? Enter it in the report.' },
    });
  });

  it('CEN-4 taking a number of transfers back brings the partners back that the report names', () => {
    const moves = unitDay(ids.sur, 'SUR 2B', {
      transfers: [
        { unit_id: ids.icu, unit_code: 'ICU', direction: 'out', mine: 1, theirs: null, partner_status: null },
        { unit_id: ids.med, unit_code: 'MED 3A', direction: 'out', mine: 2, theirs: null, partner_status: null },
      ],
    });
    const before = partOf(draftOf(moves), 'transfers_out');
    const none = write(moves, 'transfers_out', '0');
    expect(entryOf(none, moves).transfers).toEqual([]);
    expect(entryOf(withPart(none, 'transfers_out', before), moves).transfers).toEqual(
      entryOf(draftOf(moves), moves).transfers,
    );
  });
});
