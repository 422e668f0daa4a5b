import { describe, expect, it } from 'vitest';
import { fromTabs } from '#/features/census/core/period/from-tabs.ts';
import { gridCommand } from './grid-keys.ts';
import { moved, pasteInto, tabbed, toTabs } from './grid-range.ts';

const size = { rows: 3, columns: 4 };
const at = (row: number, column: number) => ({ row, column });
const press = (key: string, rest = {}) => ({
  key,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...rest,
});

describe('CEN-4 the keys of a spreadsheet', () => {
  it('CEN-4 arrows stay inside, with Ctrl they go to the edge; Tab wraps and leaves past the ends', () => {
    expect(moved(at(0, 0), { key: 'ArrowUp', isCtrl: false }, size)).toEqual(at(0, 0));
    expect(moved(at(0, 0), { key: 'ArrowRight', isCtrl: true }, size)).toEqual(at(0, 3));
    expect(moved(at(1, 1), { key: 'End', isCtrl: true }, size)).toEqual(at(2, 3));
    expect([tabbed(at(0, 3), false, size), tabbed(at(1, 0), true, size)]).toEqual([at(1, 0), at(0, 3)]);
    expect([tabbed(at(2, 3), false, size), tabbed(at(0, 0), true, size)]).toEqual([null, null]);
  });

  it('CEN-4 a digit types over the cell, Enter and F2 go on from its text, Ctrl+Z and Ctrl+Y go back and forth', () => {
    const command = (key: string, rest = {}) => gridCommand(press(key, rest), at(1, 1), size);
    expect(command('7')).toEqual({ type: 'begin', text: '7' });
    expect([command('Enter'), command('F2')]).toEqual(Array(2).fill({ type: 'begin', text: null }));
    expect(['z', 'y', 'd'].map((key) => command(key, { ctrlKey: true })?.type)).toEqual(['undo', 'redo', 'fill']);
    expect(command('Z', { metaKey: true, shiftKey: true })?.type).toBe('redo');
    expect([command('c', { ctrlKey: true }), command('t', { altKey: true }), command('Shift')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(command('ArrowDown', { shiftKey: true })).toEqual({ type: 'choose', place: at(2, 1), isExtending: true });
  });
});

describe('CEN-4 what is copied and pasted', () => {
  it('CEN-4 a block goes out as a spreadsheet takes it, and comes back the same', () => {
    const texts = [
      ['5', 'a "b"'],
      ['', 'two\nlines'],
    ];
    const range = { anchor: at(1, 1), focus: at(0, 0) };
    const tabs = toTabs(range, ({ row, column }) => texts[row]?.[column] ?? '');
    expect(tabs).toBe('5\t"a ""b"""\n\t"two\nlines"');
    expect(fromTabs(tabs)).toEqual(texts);
  });

  it('CEN-4 the line break after a spreadsheet’s last row is no row, Windows’ breaks are breaks', () => {
    expect(fromTabs('5\t0\r\n4\t1\r\n')).toEqual([
      ['5', '0'],
      ['4', '1'],
    ]);
    expect(fromTabs('7')).toEqual([['7']]);
    expect(fromTabs('1\t\t\n')).toEqual([['1', '', '']]);
  });

  it('CEN-4 one text fills all chosen cells; what does not fit the grid is counted', () => {
    const all = pasteInto({ anchor: at(0, 1), focus: at(2, 1) }, [['0']], size);
    expect(all.texts.map(({ place }) => place.row)).toEqual([0, 1, 2]);
    const wide = pasteInto({ anchor: at(2, 3), focus: at(2, 3) }, [['1', '2'], ['3']], size);
    expect(wide).toEqual({ texts: [{ place: at(2, 3), text: '1' }], lost: 2 });
  });
});
