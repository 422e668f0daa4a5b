// @vitest-environment happy-dom
import '#/testing/dom.ts';
import 'fake-indexeddb/auto';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { nilCounts } from '@wardline/census/balance.ts';
import { transportError } from '@wardline/client/http/api-error.ts';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { SUMMED_FIELDS, type SummedField } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReportEditor } from '#/features/census/report/engine/report-editor.ts';
import { keptNames, reportOutbox } from '#/features/census/report/engine/report-outbox.ts';
import { writeNumber } from '#/features/census/report/engine/report-view.ts';
import { placeOf } from '#/features/census/report/engine/use-reports.ts';
import { fakeDay } from '#/features/census/report/testing/fake-report.ts';
import { ana } from '#/testing/fake-chats.ts';
import { columnsOf } from './grid-columns.ts';
import { ids, setUpGrid } from './testing/fake-grid.tsx';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

const grid = async () => within(await screen.findByRole('grid'));
const rowOf = (code: string) => screen.getByRole('rowheader', { name: new RegExp(code) }).closest('tr') as HTMLElement;
const columns = () => screen.getAllByRole('columnheader').map((head) => head.textContent ?? '');
const cell = (code: string, head: string) => rowOf(code).children[columns().indexOf(head)] as HTMLElement;
const key = (name: string, rest = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...rest });
const settle = () => act(() => vi.advanceTimersByTimeAsync(1600));

/** Ana's own device, as IndexedDB keeps it. */
const openOwnStore = () =>
  openDeviceStore({
    userId: ana.id,
    log: createSilentLog(),
    isOwnDevice: true,
    fetchKey: async () => btoa(String.fromCharCode(...new Uint8Array(32).fill(7))),
  });

/** Chooses a cell and types in it. */
function type(code: string, head: string, text: string) {
  fireEvent.pointerDown(cell(code, head));
  key(text.charAt(0));
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: text } });
  key('Enter');
}

function paste(at: HTMLElement, text: string) {
  fireEvent.pointerDown(at);
  const event = createEvent.paste(at, { clipboardData: { getData: () => text } });
  fireEvent(at, event);
}

/** The cells of a row from the admissions to before the head count; what is not given is 0. */
const cells = (given: Partial<Record<SummedField, string>> = {}) =>
  SUMMED_FIELDS.map((name) => given[name] ?? '0').join('\t');
const quiet = cells();

describe('CEN-4 the grid of all my units', () => {
  it('CEN-4 F-N17 has a row for each unit, mine first; what others report is read only, and says who does', async () => {
    setUpGrid().draw();
    await grid();
    expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual([
      'MED 3A',
      'SUR 2B',
      'NUR newborn',
      'ICU',
    ]);
    expect(within(rowOf('ICU')).queryByRole('button')).toBeNull();
    expect(rowOf('ICU').textContent).toContain('Not in yet');
    expect(rowOf('ICU').textContent).toContain('Read only: Leila Haddad');
    const cells = [...rowOf('ICU').querySelectorAll('[data-cell]')];
    expect(cells.map((one) => one.getAttribute('aria-readonly'))).toEqual(cells.map(() => 'true'));
    expect(rowOf('MED 3A').textContent).not.toContain('Read only');
    expect(cell('MED 3A', 'Opening').getAttribute('aria-readonly')).toBe('true');
    expect(cell('MED 3A', 'Births').textContent).toBe('0');
    expect(cell('NUR', 'Births').getAttribute('aria-readonly')).toBe('false');
  });

  it('F-N17 a unit of others that does not load keeps nobody from theirs, and is named', async () => {
    const { api, draw } = setUpGrid();
    api.around = async ({ line }, go) => {
      if (line.includes(ids.icu)) throw transportError('network', 'offline');
      return await go();
    };
    draw();
    await grid();
    expect(screen.getAllByRole('rowheader')).toHaveLength(3);
    expect(screen.getByText('Not loaded: ICU. They come back with the network.')).toBeTruthy();
  });

  it('F-N15 a count that is not usual is marked at its cell, and asked about once when the row is submitted', async () => {
    const { state, days, draw } = setUpGrid();
    const med = days.get(ids.med);
    const none = Object.fromEntries(SUMMED_FIELDS.map((name) => [name, null])) as NonNullable<UnitDay['usual']>;
    if (med) days.set(ids.med, { ...med, usual: { ...none, deaths: { least: 0, most: 1 } } });
    draw();
    await grid();
    paste(cell('MED 3A', 'Admissions'), quiet);
    type('MED 3A', 'Deaths', '3');
    type('MED 3A', 'Head count', '17');
    const sentence = 'Deaths 3: usually 0 to 1 on Thursdays.';
    expect(cell('MED 3A', 'Deaths').title).toBe(sentence);
    expect(cell('MED 3A', 'Deaths').className).toContain('is-unusual');
    expect(cell('MED 3A', 'Admissions').title).toBe('');
    await settle();
    const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Submit MED 3A' }));
    submit();
    const dialog = within(await screen.findByRole('dialog', { name: 'Is this number right?' }));
    expect(dialog.getByText(sentence)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Change it' }));
    expect(state.sent.some((entry) => entry.submit)).toBe(false);
    submit();
    fireEvent.click(await screen.findByRole('button', { name: 'Yes, submit' }));
    await waitFor(() => expect(state.sent.at(-1)).toMatchObject({ submit: true, confirmed: ['deaths'] }));
  });

  it('F-N2 CEN-4 has a column of discharge days where a unit is asked for them or has told them, and none elsewhere', () => {
    const keys = (change: Parameters<typeof fakeDay>[0]) =>
      columnsOf([{ day: fakeDay(change) }]).map(({ key: name }) => name);
    expect(keys({})).not.toContain('discharge_days');
    expect(keys({ asks_discharge_days: true })).toContain('discharge_days');
    expect(keys({ counts: { ...nilCounts(3), discharge_days: 0 } })).toContain('discharge_days');
  });

  it('CEN-4 typing goes down with Enter and right with Tab; one cell is the stop of Tab', async () => {
    setUpGrid().draw();
    await grid();
    type('MED 3A', 'Admissions', '5');
    expect(document.activeElement).toBe(cell('SUR 2B', 'Admissions'));
    key('3');
    key('Tab');
    expect(document.activeElement).toBe(cell('SUR 2B', 'Births'));
    expect([cell('MED 3A', 'Admissions').textContent, cell('SUR 2B', 'Admissions').textContent]).toEqual(['5', '3']);
    expect(document.querySelectorAll('[data-cell][tabindex="0"]')).toHaveLength(1);
    key('F2');
    key('Escape');
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('CEN-4 a row is saved a moment after the last change, once, with its version', async () => {
    const { draw, state } = setUpGrid();
    draw();
    await grid();
    type('MED 3A', 'Admissions', '5');
    type('MED 3A', 'Discharges', '4');
    expect(within(rowOf('MED 3A')).getByText('Not saved yet')).toBeTruthy();
    await settle();
    expect(state.sent).toMatchObject([{ version: 1, submit: false, counts: { admissions: 5, discharges: 4 } }]);
    expect(within(rowOf('MED 3A')).getByText('Saved')).toBeTruthy();
    expect(cell('MED 3A', 'Admissions').className).toContain('is-saved');
  });

  it('CEN-4 a block of a spreadsheet is pasted cell by cell: the closing follows, what is wrong stays and is named', async () => {
    const { draw, state } = setUpGrid();
    draw();
    await grid();
    paste(
      cell('MED 3A', 'Admissions'),
      `${cells({ admissions: '5', discharges: '4', deaths: '1' })}\t20\n1,234\t${quiet}\n`,
    );
    expect(cell('MED 3A', 'Closing').textContent).toBe('20');
    expect(cell('SUR 2B', 'Admissions').getAttribute('aria-invalid')).toBe('true');
    expect(cell('SUR 2B', 'Admissions').textContent).toContain('“1,234” is not a whole number from 0 to 9999.');
    await settle();
    expect(state.sent.map(({ counts }) => counts.counted)).toEqual([20]);
    expect(within(rowOf('SUR 2B')).getByText('Not saved: a cell is wrong')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect([cell('MED 3A', 'Closing').textContent, cell('SUR 2B', 'Admissions').textContent]).toEqual(['', '']);
    expect(screen.getByRole('status').textContent).toBe('Undone.');
    key('y', { ctrlKey: true });
    expect(screen.getByRole('status').textContent).toBe('Redone.');
    expect(cell('MED 3A', 'Closing').textContent).toBe('20');
  });

  it('CEN-4 a row in which only words are missing says so beside its button, since their column may be out of view', async () => {
    setUpGrid().draw();
    await grid();
    paste(cell('MED 3A', 'Admissions'), quiet);
    const asked = '19 were counted, 20 are computed. Correct a number, or say why they differ.';
    expect(within(rowOf('MED 3A')).queryByText(asked)).toBeNull();
    type('MED 3A', 'Head count', '19');
    within(rowOf('MED 3A')).getByText(asked);
    type('MED 3A', 'Head count differs because', 'One at X-ray.');
    expect(within(rowOf('MED 3A')).queryByText(asked)).toBeNull();
    const submit = within(rowOf('MED 3A')).getByRole<HTMLButtonElement>('button', { name: 'Submit MED 3A' });
    expect(submit.disabled).toBe(false);
  });

  it('CEN-1 CEN-4 a reason of other numbers keeps its row from being submitted until it is kept by a press, or typed anew', async () => {
    const { draw, state } = setUpGrid();
    draw();
    await grid();
    paste(cell('MED 3A', 'Admissions'), `${quiet}\t19`);
    type('MED 3A', 'Head count differs because', 'One at X-ray.');
    const submit = () => within(rowOf('MED 3A')).getByRole<HTMLButtonElement>('button', { name: 'Submit MED 3A' });
    expect(submit().disabled).toBe(false);
    type('MED 3A', 'Head count', '18');
    within(rowOf('MED 3A')).getByText(/differs by −2, and the reason was given for −1/);
    expect(submit().disabled).toBe(true);
    type('MED 3A', 'Head count differs because', 'Two at X-ray.');
    expect(submit().disabled).toBe(false);
    key('z', { ctrlKey: true });
    expect([cell('MED 3A', 'Head count differs because').textContent, submit().disabled]).toEqual([
      'One at X-ray.',
      true,
    ]);
    fireEvent.click(within(rowOf('MED 3A')).getByRole('button', { name: 'Keep this reason' }));
    fireEvent.click(submit());
    await within(rowOf('MED 3A')).findByText('Submitted, 00:41');
    expect(state.sent.at(-1)).toMatchObject({ submit: true, variance_reason: 'One at X-ray.', variance_for: -2 });
  });

  it('CEN-4 cells that are not mine to change are left out of a paste, and that is said', async () => {
    setUpGrid().draw();
    await grid();
    paste(cell('MED 3A', 'Opening'), '99\t5');
    expect(screen.getByRole('status').textContent).toBe('Pasted. 1 cell skipped: read only, or outside the grid.');
    expect([cell('MED 3A', 'Opening').textContent, cell('MED 3A', 'Admissions').textContent]).toEqual(['20', '5']);
  });

  it('CEN-4 a chosen column is filled down from its first cell', async () => {
    setUpGrid().draw();
    await grid();
    type('MED 3A', 'Deaths', '1');
    fireEvent.pointerDown(cell('MED 3A', 'Deaths'));
    key('ArrowDown', { shiftKey: true });
    key('ArrowDown', { shiftKey: true });
    key('d', { ctrlKey: true });
    expect(['MED 3A', 'SUR 2B', 'NUR'].map((code) => cell(code, 'Deaths').textContent)).toEqual(['1', '1', '1']);
    key('z', { ctrlKey: true });
    expect(['MED 3A', 'SUR 2B', 'NUR'].map((code) => cell(code, 'Deaths').textContent)).toEqual(['1', '', '']);
  });

  it('CEN-4 a row is submitted once nothing is missing, and then stands as submitted', async () => {
    const { draw, state } = setUpGrid();
    draw();
    await grid();
    const submit = () => screen.getByRole('button', { name: 'Submit MED 3A' });
    expect(submit()).toHaveProperty('disabled', true);
    paste(cell('MED 3A', 'Admissions'), `${quiet}\t20`);
    await settle();
    fireEvent.click(submit());
    expect(await within(rowOf('MED 3A')).findByText('Submitted, 00:41')).toBeTruthy();
    expect(state.sent.at(-1)).toMatchObject({ submit: true, version: 2 });
    expect(cell('MED 3A', 'Admissions').getAttribute('aria-readonly')).toBe('true');
  });

  it('CEN-2 CEN-4 CEN-R13 a cell that somebody else changed too shows both, and mine is kept when I say so', async () => {
    const { days, draw, state } = setUpGrid();
    draw();
    await grid();
    const med = days.get(ids.med);
    if (med) days.set(ids.med, { ...med, version: 2, counts: { ...med.counts, admissions: 7 } });
    type('MED 3A', 'Admissions', '5');
    await settle();
    expect(await within(rowOf('MED 3A')).findByText('Changed elsewhere')).toBeTruthy();
    expect(cell('MED 3A', 'Admissions').textContent).toContain('Someone wrote 7 in the meantime; you wrote 5.');
    fireEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await settle();
    expect(state.sent.map(({ version, counts }) => [version, counts.admissions])).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(days.get(ids.med)?.counts.admissions).toBe(5);
  });

  it('CEN-4 a save that the server refuses says why, keeps what was typed, and is tried again', async () => {
    const { answer, draw, refuse, state } = setUpGrid();
    draw();
    await grid();
    refuse(403, { message: 'No.' });
    type('MED 3A', 'Admissions', '5');
    await settle();
    expect(await within(rowOf('MED 3A')).findByText('You can’t report for this unit any more.')).toBeTruthy();
    expect(cell('MED 3A', 'Admissions').textContent).toBe('5');
    answer();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await settle();
    expect(state.sent).toMatchObject([{ counts: { admissions: 5 } }]);
  });

  it('CEN-4 redo does again what undo took back, and a new change forgets it', async () => {
    setUpGrid().draw();
    await grid();
    type('MED 3A', 'Admissions', '5');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(cell('MED 3A', 'Admissions').textContent).toBe('');
    fireEvent.click(screen.getByRole('button', { name: 'Redo' }));
    expect(cell('MED 3A', 'Admissions').textContent).toBe('5');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    type('MED 3A', 'Deaths', '1');
    expect(screen.getByRole('button', { name: 'Redo' })).toHaveProperty('disabled', true);
  });

  it('CEN-2 CEN-4 changes in other cells are joined by themselves', async () => {
    const { days, draw, state } = setUpGrid();
    draw();
    await grid();
    const med = days.get(ids.med);
    if (med) days.set(ids.med, { ...med, version: 2, counts: { ...med.counts, discharges: 3 } });
    type('MED 3A', 'Admissions', '5');
    await settle();
    await settle();
    expect(state.sent.map(({ version, counts }) => [version, counts.admissions, counts.discharges])).toEqual([
      [1, 5, null],
      [2, 5, 3],
    ]);
    expect(screen.queryByText('Changed elsewhere')).toBeNull();
  });
});

describe('CEN-4 the grid without a network', () => {
  const cut = (app: ReturnType<typeof setUpGrid>) => {
    app.api.around = async () => Promise.reject(transportError('network', 'offline'));
  };

  it('CEN-2 CEN-4 cells typed offline are on the device before anything is sent, are there after a reload, and are stored once', async () => {
    const store = await openOwnStore();
    const first = setUpGrid(store);
    const shown = first.draw();
    await grid();
    cut(first);
    type('MED 3A', 'Admissions', '5');
    type('SUR 2B', 'Discharges', '2x');
    await settle();
    await within(rowOf('MED 3A')).findByText('Kept here, waiting for the network');
    expect(first.device.outbox.count.get()).toMatchObject({ waiting: 1, kinds: ['census-report'] });
    shown.unmount();
    first.device.outbox.stop();

    const second = setUpGrid(store);
    cut(second);
    second.draw();
    await grid();
    await waitFor(() => expect(cell('MED 3A', 'Admissions').textContent).toBe('5'));
    await waitFor(() => expect(cell('SUR 2B', 'Discharges').textContent).toContain('2x'));
    within(rowOf('MED 3A')).getByText('Kept here, waiting for the network');
    second.answer();
    act(() => second.device.outbox.flush());
    await within(rowOf('MED 3A')).findByText('Saved');
    await settle();
    expect(second.state.sent).toMatchObject([{ submit: false, version: 1, counts: { admissions: 5 } }]);
    expect(await store.outbox()).toEqual([]);
    expect(cell('SUR 2B', 'Discharges').textContent).toContain('2x');
  });

  it('CEN-2 CEN-4 what is typed in the grid is what the report of the unit opens with, and the other way round', async () => {
    const store = await openOwnStore();
    const first = setUpGrid(store);
    const shown = first.draw();
    await grid();
    cut(first);
    type('MED 3A', 'Admissions', '5');
    await settle();
    await within(rowOf('MED 3A')).findByText('Kept here, waiting for the network');
    shown.unmount();
    const { device } = first;
    const [day] = [...first.days.values()];
    if (!day) throw new Error('There is no report.');
    const reports = reportOutbox(device.outbox, first.call);
    const editor = createReportEditor({ day, store, call: first.call, reports, refresh: () => undefined });
    await editor.open();
    expect(editor.get()).toMatchObject({ draft: { numbers: { admissions: '5' } }, waiting: { state: 'waiting' } });
    editor.change(writeNumber('deaths', '1'));
    await waitFor(async () =>
      expect(await store.meta(keptNames.draft(placeOf(day)))).toMatchObject({ draft: { numbers: { deaths: '1' } } }),
    );
    editor.stop();
    first.draw();
    await grid();
    await waitFor(() => expect(cell('MED 3A', 'Deaths').textContent).toBe('1'));
  });

  it('CEN-2 CEN-4 CEN-R13 what somebody else changed meanwhile shows both once there is a network', async () => {
    const app = setUpGrid(await openOwnStore());
    app.draw();
    await grid();
    cut(app);
    type('MED 3A', 'Admissions', '5');
    await settle();
    await within(rowOf('MED 3A')).findByText('Kept here, waiting for the network');
    const med = app.days.get(ids.med);
    if (med) app.days.set(ids.med, { ...med, version: 2, counts: { ...med.counts, admissions: 7 } });
    app.answer();
    act(() => app.device.outbox.flush());
    expect(await within(rowOf('MED 3A')).findByText('Changed elsewhere')).toBeTruthy();
    expect(cell('MED 3A', 'Admissions').textContent).toContain('Someone wrote 7 in the meantime; you wrote 5.');
    fireEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
    await settle();
    expect(cell('MED 3A', 'Admissions').textContent).toBe('7');
    await waitFor(() => expect(app.device.outbox.count.get()).toMatchObject({ waiting: 0, failed: 0 }));
  });
});
