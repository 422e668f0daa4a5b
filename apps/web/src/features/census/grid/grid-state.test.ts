import { NO_COUNTS } from '@wardline/census/balance.ts';
import type { UnitDay } from '@wardline/contract/census.ts';
import { describe, expect, it } from 'vitest';
import { readRow } from './grid-entry.ts';
import { EMPTY_GRID, type GridAction, gridReducer, rowKey } from './grid-state.ts';
import { ids, unitDay } from './testing/fake-grid.tsx';

const med = unitDay(ids.med, 'MED 3A', { counts: { ...NO_COUNTS, births: 0, admissions: 4 } });
const key = rowKey(med);
const start = gridReducer(EMPTY_GRID, { type: 'heard', days: [med] });
const after = (...actions: GridAction[]) => actions.reduce(gridReducer, start);
const typed = (field: 'admissions' | 'discharges' | 'deaths', text: string): GridAction => ({
  type: 'edit',
  edits: [{ key, field, text }],
});

describe('CEN-4 rows while they are typed and saved', () => {
  it('CEN-4 undo takes a whole paste back, redo does it again, a new change forgets what was taken back', () => {
    const paste: GridAction = {
      type: 'edit',
      edits: [
        { key, field: 'admissions', text: '5' },
        { key, field: 'discharges', text: '3' },
      ],
    };
    const undone = after(paste, { type: 'undo' });
    expect(undone.rows[0]?.typed).toEqual({});
    expect(gridReducer(undone, { type: 'redo' }).rows[0]?.typed).toEqual({ admissions: '5', discharges: '3' });
    const other = gridReducer(undone, typed('deaths', '1'));
    expect(gridReducer(other, { type: 'redo' }).rows[0]?.typed).toEqual({ deaths: '1' });
  });

  it('CEN-4 what was typed while a save was under way is not lost to its answer', () => {
    const saved = { ...med, version: 2, counts: { ...med.counts, admissions: 5 } };
    const state = after(typed('admissions', '5'), { type: 'saving', key }, typed('admissions', '6'), {
      type: 'saved',
      key,
      day: saved,
    });
    expect(state.rows[0]).toMatchObject({ typed: { admissions: '6' }, day: { version: 2 } });
  });

  it('CEN-2 CEN-4 changes in other cells are joined, one in the same cell asks whose shall stand', () => {
    const theirs = (counts: Partial<UnitDay['counts']>) => ({
      ...med,
      version: 2,
      counts: { ...med.counts, ...counts },
    });
    const joined = after(
      typed('admissions', '5'),
      { type: 'saving', key },
      {
        type: 'conflict',
        key,
        theirs: theirs({ discharges: 3 }),
      },
    );
    expect(joined.rows[0]).toMatchObject({ typed: { admissions: '5' }, day: { version: 2 }, save: { kind: 'idle' } });
    const met = after(
      typed('admissions', '5'),
      { type: 'saving', key },
      {
        type: 'conflict',
        key,
        theirs: theirs({ admissions: 7 }),
      },
    );
    expect(met.rows[0]?.save).toMatchObject({ kind: 'conflict', fields: ['admissions'] });
    expect(gridReducer(met, { type: 'keep-mine', key }).rows[0]).toMatchObject({
      typed: { admissions: '5' },
      day: { version: 2 },
    });
    expect(gridReducer(met, { type: 'take-theirs', key }).rows[0]).toMatchObject({ typed: {}, day: { version: 2 } });
  });

  it('CEN-4 news of a report leaves a row that is being typed in on its own base', () => {
    const news = { ...med, version: 2, counts: { ...med.counts, admissions: 9 } };
    expect(after(typed('deaths', '1'), { type: 'heard', days: [news] }).rows[0]?.day.version).toBe(1);
    expect(after({ type: 'heard', days: [news] }).rows[0]?.day.version).toBe(2);
  });
});

describe('CEN-4 one row read by the rules', () => {
  it.each(['-1', '2.5', '1e3', '1,234', 'x'])(
    'CEN-4 R3 %j is refused at its cell, and nothing of the row is sent',
    (text) => {
      const { entry, troubles } = readRow(med, { discharges: text });
      expect(entry).toBeNull();
      expect(troubles).toEqual({ discharges: `“${text}” is not a whole number from 0 to 9999.` });
    },
  );

  it('CEN-4 transfers are what the partners say, none, or said in the report', () => {
    const moves = unitDay(ids.sur, 'SUR 2B', {
      transfers: [
        { unit_id: ids.icu, unit_code: 'ICU', direction: 'in', mine: null, theirs: 2, partner_status: 'submitted' },
      ],
    });
    expect(readRow(moves, { transfers_in: '2' }).entry?.transfers).toEqual([
      { unit_id: ids.icu, direction: 'in', count: 2 },
    ]);
    expect(readRow(moves, { transfers_in: '0' }).entry?.transfers).toEqual([]);
    expect(readRow(moves, { transfers_in: '3' })).toMatchObject({
      entry: null,
      troubles: { transfers_in: 'SUR 2B received them from whom? Say it in its report.' },
    });
  });
});
