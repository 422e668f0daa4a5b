// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { nilCounts } from '@wardline/census/balance.ts';
import { SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import { amendUnitDay, returnUnitDay, takeSnapshot, type UnitDay } from '@wardline/contract/census/unit.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SAVE_AFTER_MS } from './engine/report-editor.ts';
import { fakeDay, fromIcu, ICU_ID, ONC_ID, UNIT_ID } from './testing/fake-report.ts';
import { field, ME, openedSheet, openPage } from './testing/open-report-page.tsx';

const closing = () => document.getElementById('census-closing')?.textContent;

/** Types as a keyboard does: into what has the focus, whose text is replaced. */
function press(key: string): void {
  const target = document.activeElement;
  if (!target) throw new Error('Nothing has the focus.');
  const goesOn = fireEvent.keyDown(target, { key });
  if (goesOn && /^\d$/.test(key)) fireEvent.change(target, { target: { value: key } });
}
function pressAll(keys: readonly string[]): void {
  for (const key of keys) press(key);
}

const none = { edit: false, submit: false, withdraw: false, return: false, approve: false, amend: false };
const thursday = { unit: UNIT_ID, date: '2026-11-19', population: 'adult_and_child' } as const;

describe('the unit report', () => {
  beforeEach(() => {});

  it.each([
    ['takes the focus from the heading that a navigation led to', '<h1 tabindex="-1">Census</h1>', 'INPUT'],
    ['leaves the focus where somebody has put it', '<a href="#">Help</a>', 'A'],
  ])('CEN-1 SHELL-7 the first empty field %s', async (_said, before, tagName) => {
    const place = document.createElement('div');
    place.innerHTML = before;
    document.body.append(place);
    (place.firstElementChild as HTMLElement).focus();
    openPage(fakeDay());
    await openedSheet();
    await waitFor(() => expect(document.activeElement?.tagName).toBe(tagName));
    place.remove();
  });

  it('CEN-1 a normal day takes under 20 key presses and no pointer, from the first empty field to the receipt', async () => {
    const { server } = openPage(fakeDay());
    await openedSheet();
    await waitFor(() => expect(document.activeElement).toBe(field('Admissions')));
    // Admissions and transfers in come first, births are of newborns alone.
    const rest = SUMMED_FIELDS.slice(3).map(() => 'Enter');
    const keys = ['3', 'Enter', 'Enter', '4', ...rest];
    pressAll(keys);
    expect(document.activeElement).toBe(field('Head count'));
    expect(closing()).toBe('23');
    fireEvent.change(field('Head count'), { target: { value: '23' } });
    fireEvent.keyDown(field('Head count'), { key: 'Enter', ctrlKey: true });
    expect(keys.length + 3).toBeLessThan(20);
    await screen.findByText(/Report for Thu 19 Nov submitted Fri 20 Nov at 00:38, on time\./);
    expect(screen.getByText('Closing 23, service days 23.', { exact: false })).toBeDefined();
    const sent = server.seen.filter(({ submit }) => submit);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.counts).toMatchObject({ admissions: 3, discharges: 4, births: 0, transfers_in: 0, counted: 23 });
    const next = screen.getByRole('link', { name: 'Next: MED 3A, Fri 20 Nov' });
    await waitFor(() => expect(document.activeElement).toBe(next));
  });

  it('CEN-1 Up goes back, + and − step, and a head count is never written by Enter', async () => {
    openPage(fakeDay());
    await openedSheet();
    await waitFor(() => expect(document.activeElement).toBe(field('Admissions')));
    pressAll(['+', '+', '-', 'ArrowDown']);
    expect(field('Admissions').value).toBe('1');
    expect(document.activeElement).toBe(field('Transfers in'));
    press('ArrowUp');
    expect(document.activeElement).toBe(field('Admissions'));
    field('Head count').focus();
    press('Enter');
    expect(field('Head count').value).toBe('');
  });

  it('CEN-1 Enter in the head count leads to the submission, or to the first field that is missing', async () => {
    const { server } = openPage(fakeDay());
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    fireEvent.change(field('Deaths'), { target: { value: '' } });
    fireEvent.change(field('Head count'), { target: { value: '24' } });
    press('Enter');
    expect(document.activeElement).toBe(field('Deaths'));
    press('Enter');
    field('Head count').focus();
    press('Enter');
    const [submit] = screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' });
    expect(document.activeElement).toBe(submit);
    fireEvent.click(submit as HTMLElement);
    await waitFor(() => expect(server.seen.filter((entry) => entry.submit)).toHaveLength(1));
  });

  it('CEN-1 Enter in a head count that differs leads to the words that it asks for', async () => {
    openPage(fakeDay());
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    fireEvent.change(field('Head count'), { target: { value: '23' } });
    press('Enter');
    expect(document.activeElement).toBe(screen.getByLabelText('Why does the head count differ?'));
  });

  it('CEN-1 a nil report is one tap, and the head count is still asked for', async () => {
    openPage(fakeDay());
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    expect(document.activeElement).toBe(field('Head count'));
    expect([closing(), field('Deaths').value, field('Head count').value]).toEqual(['24', '0', '']);
    fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    await screen.findByText('Head count not entered. Enter 0 if there were none.');
  });

  it('CEN-1 CEN-R3 wrong text is kept and explained once the field is left, not before', async () => {
    openPage(fakeDay());
    await openedSheet();
    fireEvent.change(field('Deaths'), { target: { value: '2.5' } });
    expect(screen.queryByText('Deaths must be a whole number from 0 to 9999.')).toBeNull();
    fireEvent.blur(field('Deaths'));
    screen.getByText('Deaths must be a whole number from 0 to 9999.');
    expect(field('Deaths').value).toBe('2.5');
  });

  it('CEN-1 CEN-R20 a head count that differs and more patients than beds ask for words before they leave', async () => {
    const { server } = openPage(fakeDay({ opening: 31 }));
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    fireEvent.change(field('Head count'), { target: { value: '30' } });
    expect(screen.getByText('Differs by 1')).toBeDefined();
    const submit = () =>
      fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    submit();
    await screen.findByText('30 were counted, 31 are computed. Correct a number, or say why they differ.');
    fireEvent.change(screen.getByLabelText('Why does the head count differ?'), { target: { value: 'One at X-ray.' } });
    fireEvent.change(screen.getByLabelText('Where are the patients over capacity?'), {
      target: { value: 'Corridor.' },
    });
    submit();
    await waitFor(() => expect(server.seen.some((entry) => entry.submit)).toBe(true));
    expect(server.seen.at(-1)).toMatchObject({ variance_reason: 'One at X-ray.', capacity_reason: 'Corridor.' });
  });

  it('CEN-1 CEN-2 beds that the unit does not have are said at their fields', async () => {
    openPage(fakeDay());
    await openedSheet();
    fireEvent.change(field('Staffed beds'), { target: { value: '33' } });
    fireEvent.blur(field('Staffed beds'));
    screen.getByText('More beds are staffed than there are.');
    fireEvent.change(field('Staffed beds'), { target: { value: '10' } });
    expect(screen.queryByText('More beds are staffed than there are.')).toBeNull();
    fireEvent.change(field('Blocked beds'), { target: { value: '12' } });
    fireEvent.blur(field('Blocked beds'));
    screen.getByText('More beds are blocked than are staffed.');
  });

  it('CEN-1 CEN-3 the last day of a unit says at the closing who is left, and is not sent before they are placed', async () => {
    const { server } = openPage(fakeDay({ is_last_day: true }));
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    fireEvent.change(field('Head count'), { target: { value: '24' } });
    const submit = () =>
      fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    submit();
    await screen.findByText(/The unit closes after this day, and 24 patients are left in it\./);
    expect(server.seen.filter((entry) => entry.submit)).toEqual([]);
    fireEvent.change(field('Discharges'), { target: { value: '24' } });
    fireEvent.change(field('Head count'), { target: { value: '0' } });
    submit();
    await waitFor(() => expect(server.seen.filter((entry) => entry.submit)).toHaveLength(1));
  });

  it('F-N14 CEN-1 a reason goes with the difference it was for, when typing rests', async () => {
    const { server } = openPage(fakeDay());
    await openedSheet();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    const reason = 'Why does the head count differ?';
    const write = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
    write('Head count', '23');
    write(reason, 'One at X-ray.');
    write('Head count', '24');
    write('Head count', '2');
    write('Head count', '23');
    expect(screen.getByLabelText<HTMLTextAreaElement>(reason).value).toBe('One at X-ray.');
    write('Head count', '24');
    await act(() => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS));
    await waitFor(() => expect(server.seen.at(-1)).toMatchObject({ variance_reason: null }));
    write('Head count', '23');
    expect(screen.getByLabelText<HTMLTextAreaElement>(reason).value).toBe('');
    vi.useRealTimers();
  });

  it('CEN-1 CEN-R6 a closing below nothing is written with a minus sign, in the sheet and beside it', async () => {
    openPage(fakeDay());
    const sheet = await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    fireEvent.change(field('Discharges'), { target: { value: '30' } });
    expect(closing()).toBe('−6');
    expect(within(sheet).getByText('Computed').nextElementSibling?.textContent).toBe('−6');
    expect(sheet.textContent).toContain('24 + 0 − 30 = −6');
    expect(sheet.textContent).not.toMatch(/-\d/);
  });

  it('CEN-1 a reason of other numbers is asked for anew, and stays by a press alone', async () => {
    const { server } = openPage(fakeDay());
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    const reason = () => screen.getByLabelText<HTMLTextAreaElement>('Why does the head count differ?');
    const write = (value: string) => fireEvent.change(field('Head count'), { target: { value } });
    const submit = () =>
      fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    write('23');
    fireEvent.change(reason(), { target: { value: 'One at X-ray.' } });
    write('22');
    expect(reason().value).toBe('');
    screen.getByText('Reason for a difference of −1: “One at X-ray.”');
    submit();
    await screen.findByText('The head count differs by −2, and the reason was given for −1. Say why anew, or keep it.');
    expect(server.seen.filter((entry) => entry.submit)).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Keep this reason' }));
    expect(reason().value).toBe('One at X-ray.');
    expect(screen.queryByRole('button', { name: 'Keep this reason' })).toBeNull();
    submit();
    await waitFor(() => expect(server.seen.some((entry) => entry.submit)).toBe(true));
    expect(server.seen.at(-1)).toMatchObject({ variance_reason: 'One at X-ray.', variance_for: -2 });
  });

  it('CEN-1 a returned report whose numbers are corrected asks for its reason anew; new words take its place', async () => {
    const counts = { ...nilCounts(23), on_leave: 0 };
    const ben = { id: '01970000-0000-7000-8000-0000000000b2', name: 'Ben Ortiz' };
    const said = { variance_reason: 'One at X-ray.', variance_for: -1, variance_by: ben, counted_by: ben };
    const { server } = openPage(fakeDay({ status: 'returned', version: 2, counts, closing: 24, present: 24, ...said }));
    await openedSheet();
    const reason = () => screen.getByLabelText<HTMLTextAreaElement>('Why does the head count differ?');
    expect(reason().value).toBe('One at X-ray.');
    screen.getByText('Reason by Ben Ortiz');
    screen.getByText('walk the unit, count people, not beds · entered by Ben Ortiz');
    fireEvent.change(field('Discharges'), { target: { value: '2' } });
    expect(reason().value).toBe('');
    screen.getByText('Reason for a difference of −1, by Ben Ortiz: “One at X-ray.”');
    fireEvent.change(reason(), { target: { value: 'One came back.' } });
    expect(screen.queryByRole('button', { name: 'Keep this reason' })).toBeNull();
    fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    await waitFor(() => expect(server.seen.some((entry) => entry.submit)).toBe(true));
    expect(server.seen.at(-1)).toMatchObject({ variance_reason: 'One came back.', variance_for: 1 });
  });

  it('F-N14 CEN-R3 a sign with a digit behind it is kept as text and explained, and no step', async () => {
    openPage(fakeDay());
    await openedSheet();
    const type = (name: string, keys: string) => {
      for (const key of keys) {
        const goesOn = fireEvent.keyDown(field(name), { key });
        if (goesOn) fireEvent.change(field(name), { target: { value: `${field(name).value}${key}` } });
      }
    };
    for (const [typed, was] of [
      ['-1', ''],
      ['+1', ''],
      ['-12', '5'],
    ] as const) {
      fireEvent.change(field('Deaths'), { target: { value: was } });
      type('Deaths', typed);
      expect(field('Deaths').value).toBe(typed);
      fireEvent.blur(field('Deaths'));
      screen.getByText('Deaths must be a whole number from 0 to 9999.');
    }
    fireEvent.change(field('Deaths'), { target: { value: '5' } });
    type('Deaths', '++-');
    expect(field('Deaths').value).toBe('6');
  });

  it('CEN-1 what a partner sent is agreed in one tap, and Enter goes to it instead of writing 0', async () => {
    openPage(fakeDay({ transfers: [fromIcu(2)] }));
    await openedSheet();
    field('Transfers in').focus();
    press('Enter');
    expect(document.activeElement).toBe(field('You received, ICU'));
    fireEvent.click(screen.getByRole('button', { name: 'Agree' }));
    expect([field('You received, ICU').value, field('Transfers in').value]).toEqual(['2', '2']);
    screen.getByText('Agreed');
    screen.getByText('2 from ICU');
  });

  it('CEN-1 who reports for no unit is told so, and led to the summary where they may read it', async () => {
    const done = fakeDay({ status: 'approved', version: 2, may: none });
    openPage(done, null, ['census.view', 'census.report_summary']);
    await screen.findByRole('heading', { name: 'You don’t report for a unit' });
    expect(screen.getByRole('link', { name: 'Open the summary' }).getAttribute('href')).toBe('/census-summary');
    expect(screen.queryByText('No reports due')).toBeNull();
    cleanup();
    // Who may not see the board cannot be told.
    openPage(done);
    await screen.findByRole('heading', { name: 'No reports due' });
    expect(screen.queryByRole('link', { name: 'Open the summary' })).toBeNull();
    cleanup();
    // Nor can anybody while the first day of the units is not over.
    const { server } = openPage(done, null, ['census.view']);
    server.board = { ...server.board, units: [] };
    await screen.findByRole('heading', { name: 'No reports due' });
  });

  it('CEN-1 CEN-R7 a move that a partner tells of and the draft does not is not answered, and no difference before both are in', async () => {
    openPage(fakeDay({ may: none, transfers: [fromIcu(1)] }));
    const state = () =>
      within(screen.getByRole('row', { name: /^ICU/ }))
        .getAllByRole('cell')
        .at(-1)?.textContent;
    await openedSheet();
    expect(state()).toBe('Not answered');
    screen.getByText('1 not answered');
    cleanup();
    // Handed in, its silence means 0.
    openPage(fakeDay({ status: 'submitted', version: 1, may: none, transfers: [fromIcu(1)] }), thursday);
    await openedSheet();
    expect(state()).toBe('Differs');
    cleanup();
    const begun = { ...fromIcu(1, 2), partner_status: 'draft' as const };
    openPage(fakeDay({ status: 'submitted', version: 1, may: none, transfers: [begun] }), thursday);
    await openedSheet();
    expect(state()).toBe('Not in yet');
  });

  it('CEN-1 a number typed into the transfers stays until it is said whose it is, and belongs to that unit', async () => {
    openPage(fakeDay());
    await openedSheet();
    // A key after the other, as people type.
    field('Transfers out').focus();
    for (const value of ['1', '12']) fireEvent.change(field('Transfers out'), { target: { value } });
    expect(document.activeElement).toBe(field('Transfers out'));
    press('Enter');
    const add = screen.getByRole('combobox', { name: 'Add a unit that received patients' });
    expect(document.activeElement).toBe(add);
    screen.getByText('12 left: to where?');
    fireEvent.change(add, { target: { value: ONC_ID } });
    expect(field('You sent, ONC').value).toBe('12');
    expect(field('Transfers out').value).toBe('12');
    screen.getByText('Not in yet');
    fireEvent.change(field('You sent, ONC'), { target: { value: '' } });
    expect(field('Transfers out').value).toBe('');
  });

  it('CEN-1 a number for several partners waits for the first of them; their sum is changed at one of them', async () => {
    openPage(fakeDay({ transfers: [fromIcu(2), { ...fromIcu(3), unit_id: ONC_ID, unit_code: 'ONC' }] }));
    await openedSheet();
    const total = field('Transfers in');
    total.focus();
    for (const value of ['1', '12']) fireEvent.change(total, { target: { value } });
    expect([total.value, total.readOnly]).toEqual(['12', false]);
    press('Enter');
    expect(document.activeElement).toBe(field('You received, ICU'));
    fireEvent.change(field('You received, ICU'), { target: { value: '2' } });
    expect([total.value, total.readOnly]).toEqual(['2', true]);
    fireEvent.click(screen.getByRole('button', { name: 'One more, transfers in' }));
    expect(document.activeElement).toBe(field('You received, ONC'));
    expect(total.value).toBe('2');
  });

  it('CEN-1 what is no number stays to be seen at the transfers of one partner', async () => {
    openPage(fakeDay({ transfers: [fromIcu(2)] }));
    await openedSheet();
    fireEvent.change(field('Transfers in'), { target: { value: '1x' } });
    expect([field('Transfers in').value, field('You received, ICU').value]).toEqual(['1x', '1x']);
    fireEvent.change(field('Transfers in'), { target: { value: '' } });
    expect([field('Transfers in').value, field('You received, ICU').value]).toEqual(['', '']);
  });

  const feed: NonNullable<UnitDay['feed']> = {
    counts: {
      admissions: 3,
      births: 0,
      transfers_in: 2,
      discharges: 5,
      deaths: 1,
      deaths_u48: 1,
      transfers_out: 0,
      ad_same_day: 1,
      on_leave: 1,
    },
    closing: 23,
    beds_blocked: 2,
    transfers: [{ unit_id: ICU_ID, unit_code: 'ICU', direction: 'in', count: 2 }],
  };

  it('CEN-8 what the patient system says is taken in one tap, but for the head count, and stands beside it', async () => {
    const { server } = openPage(fakeDay({ feed }));
    await openedSheet();
    const says = () => screen.getByText('Patient system says').nextElementSibling?.textContent;
    expect(says()).toBe('22');
    fireEvent.click(screen.getByRole('button', { name: 'Take from the patient system' }));
    expect(document.activeElement).toBe(field('Head count'));
    const names = ['Admissions', 'Transfers in', 'Discharges', 'Deaths', 'Transfers out', 'On leave', 'Blocked beds'];
    expect(names.map((name) => field(name).value)).toEqual(['3', '2', '5', '1', '0', '1', '2']);
    expect([field('You received, ICU').value, field('Head count').value, closing()]).toEqual(['2', '', '23']);
    fireEvent.change(field('Head count'), { target: { value: '21' } });
    expect(screen.getByText('Differs by 1')).toBeDefined();
    expect(says()).toBe('22');
    expect(server.seen.filter(({ submit }) => submit)).toEqual([]);
  });

  it('F-N10 where the patient system opened the date with another number, the report says with which', async () => {
    openPage(fakeDay({ opening: 24, feed: { ...feed, opening: 24 } }));
    await openedSheet();
    expect(screen.queryByText('Patient system opened with')).toBeNull();
    cleanup();
    openPage(fakeDay({ opening: 24, feed: { ...feed, opening: 22 } }));
    await openedSheet();
    const says = screen.getByText('Patient system opened with').nextElementSibling?.textContent;
    expect(says).toBe('22, this report with 24');
  });

  it('F-N2 CEN-1 discharge days are asked for where the facility does, and Enter passes them by', async () => {
    openPage(fakeDay({ asks_discharge_days: true }));
    await openedSheet();
    field('Discharge days').focus();
    fireEvent.keyDown(field('Discharge days'), { key: 'Enter' });
    expect(field('Discharge days').value).toBe('');
    fireEvent.change(field('Discharges'), { target: { value: '2' } });
    fireEvent.change(field('Deaths'), { target: { value: '0' } });
    fireEvent.change(field('Discharge days'), { target: { value: '1' } });
    fireEvent.blur(field('Discharge days'));
    expect(
      screen.getByText(/^2 were discharged or died, each after a day at least; 1 discharge day is too few\./),
    ).toBeDefined();
  });

  it('F-N2 CEN-8 discharge days are shown where the patient system tells them, and taken with the rest', async () => {
    openPage(fakeDay({ feed: { ...feed, discharge_days: 31 } }));
    await openedSheet();
    expect(screen.getByText(/patient system: 31$/)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Take from the patient system' }));
    expect(field('Discharge days').value).toBe('31');
  });

  it('F-N2 CEN-1 discharge days are not asked for elsewhere', async () => {
    openPage(fakeDay());
    await openedSheet();
    expect(screen.queryByText('Discharge days')).toBeNull();
  });

  it('CEN-8 without a patient system nothing of it is offered or said', async () => {
    openPage(fakeDay({ feed: null }));
    await openedSheet();
    expect(screen.queryByText('Patient system says')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Take from the patient system' })).toBeNull();
  });

  it('CEN-8 a report that is open for a correction offers what was proposed, and leaves all else as it was signed', async () => {
    const counts = { ...nilCounts(23), admissions: 3, discharges: 4, transfers_in: 0, on_leave: 0 };
    const proposal = {
      id: ME,
      counts: [
        { field: 'transfers_in' as const, signed: 0, told: 2 },
        { field: 'discharges' as const, signed: 4, told: 5 },
      ],
    };
    openPage(fakeDay({ status: 'amending', version: 6, counts, feed, proposal }), thursday);
    await openedSheet();
    const said = 'Patient system says 2 transfers in and 5 discharges; signed with 0 transfers in and 4 discharges.';
    expect(screen.getByText(said)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Use these counts' }));
    expect([field('Discharges').value, field('Transfers in').value, field('You received, ICU').value]).toEqual([
      '5',
      '2',
      '2',
    ]);
    expect([field('Admissions').value, field('Deaths').value, field('On leave').value]).toEqual(['3', '0', '0']);
    expect(field('Head count').value).toBe('23');
  });

  it('CEN-8 a signed report says what is proposed, and offers nothing to whoever may not write it', async () => {
    const proposal = { id: ME, counts: [{ field: 'discharges' as const, signed: 4, told: 5 }] };
    openPage(fakeDay({ status: 'locked', version: 5, proposal, may: none }), thursday);
    await screen.findByText('Patient system says 5 discharges; signed with 4.');
    expect(screen.queryByRole('button', { name: 'Use these counts' })).toBeNull();
  });

  it('CEN-1 births are off outside the newborn, and the first report ever asks who was in', async () => {
    openPage(fakeDay({ opening: null, opening_from: null }));
    await openedSheet();
    expect(field('Births').disabled).toBe(true);
    fireEvent.change(field('Opening'), { target: { value: '12' } });
    fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
    expect(closing()).toBe('12');
  });

  it('CEN-1 the opening is read only and leads to the day it comes from', async () => {
    openPage(fakeDay());
    await openedSheet();
    expect(screen.getByText('24', { selector: 'output' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Correct Wed 18 Nov' }).getAttribute('href')).toBe(
      `/census-unit?unit=${UNIT_ID}&date=2026-11-18&population=adult_and_child`,
    );
  });

  it('CEN-1 a returned report says why', async () => {
    openPage(fakeDay({ status: 'returned', version: 2, last_reason: 'Two discharges are missing.' }));
    await openedSheet();
    expect(screen.getAllByText('Two discharges are missing.', { exact: false }).length).toBeGreaterThan(0);
  });

  it('CEN-3 a reviewer sees what was handed in and returns it with words of at least five characters', async () => {
    const day = fakeDay({ status: 'submitted', version: 3, may: { ...none, approve: true, return: true } });
    const { app } = openPage(day, thursday);
    const given = vi.fn();
    app.api.on(returnUnitDay, ({ body }) => {
      given(body.reason, body.version);
      return { ...day, version: 4, status: 'returned' as const, last_reason: body.reason, may: none };
    });
    await screen.findByRole('button', { name: 'Approve Thu 19 Nov' });
    expect(screen.queryByRole('textbox', { name: 'Admissions' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Return' }));
    const dialog = await screen.findByRole('dialog', { name: 'Return MED 3A, Thu 19 Nov' });
    const text = within(dialog).getByLabelText('What needs checking?');
    const send = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Return it' }));
    fireEvent.change(text, { target: { value: 'no' } });
    send();
    within(dialog).getByText('Enter at least 5 characters.');
    expect(given).not.toHaveBeenCalled();
    fireEvent.change(text, { target: { value: 'Count again.' } });
    send();
    await screen.findByText('Count again.', { exact: false });
    expect(given.mock.calls).toEqual([['Count again.', 3]]);
  });

  it('CEN-3 CEN-R18 what the server says against an approval stands by the button', async () => {
    const { app } = openPage(fakeDay({ status: 'submitted', version: 3, may: { ...none, approve: true } }), thursday);
    const approve = await screen.findByRole('button', { name: 'Approve Thu 19 Nov' });
    const findings = [{ code: 'SELF_APPROVAL', field: null, message: 'Somebody else has to approve your own report.' }];
    app.api.around = async () => Response.json({ message: 'No.', code: 'unprocessable', findings }, { status: 422 });
    fireEvent.click(approve);
    await screen.findByText('Somebody else has to approve your own report.');
  });

  it.each([
    [true, null, ' A reviewer has opened it: to change it, ask them to return it.'],
    [false, 'Withdraw', ''],
  ])('CEN-3 says why a submitted report is not taken back any more (reviewed: %s)', async (is_reviewed, act, text) => {
    const may = { ...none, withdraw: !is_reviewed };
    const submitted_by = { id: ME, name: 'Ana Reyes' };
    const submitted_at = '2026-11-19T16:38:00Z';
    openPage(fakeDay({ status: 'submitted', version: 3, is_reviewed, submitted_by, submitted_at, may }), thursday);
    const said = await screen.findByText(/by Ana Reyes on /);
    expect(said.textContent?.split('.').slice(1).join('.')).toBe(text);
    expect(screen.queryByRole('button', { name: 'Withdraw' })?.textContent ?? null).toBe(act);
  });

  it('CEN-3 what takes somebody who can reopen signed days is not approved here, and says whom to ask', async () => {
    const restates = { days: 1, signed: 1, ask: [] };
    openPage(fakeDay({ status: 'submitted', version: 3, restates, may: { ...none, approve: true } }), thursday);
    await screen.findByText(/which is signed or locked.*no one can yet, ask an administrator\./);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Approve Thu 19 Nov and change 1 later day' });
    expect(button.disabled).toBe(true);
  });

  it('CEN-3 CEN-R19 an amendment wants a kind of reason and words', async () => {
    const approved = {
      approved_by: { id: crypto.randomUUID(), name: 'Owen Hart' },
      approved_at: '2026-11-20T00:20:00Z',
    };
    const day = fakeDay({ status: 'locked', version: 5, may: { ...none, amend: true }, ...approved });
    const { app } = openPage(day, thursday);
    expect((await screen.findByText(/^Locked/)).parentElement?.textContent).toMatch(
      /^Locked\. Approved by Owen Hart on /,
    );
    const given = vi.fn();
    app.api.on(amendUnitDay, ({ body }) => {
      given(body.reason_code, body.reason);
      return {
        ...day,
        version: 6,
        status: 'amending' as const,
        last_reason: body.reason,
        may: { ...none, edit: true },
      };
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Amend' }));
    const dialog = await screen.findByRole('dialog', { name: 'Amend MED 3A, Thu 19 Nov' });
    const open = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Open for correction' }));
    fireEvent.change(within(dialog).getByLabelText('Why is it changed?'), { target: { value: 'A late slip.' } });
    open();
    within(dialog).getByText('Choose what comes nearest.');
    fireEvent.change(within(dialog).getByLabelText('Kind of reason'), { target: { value: 'late_slip' } });
    open();
    await screen.findByRole('textbox', { name: 'Admissions' });
    expect(given.mock.calls).toEqual([['late_slip', 'A late slip.']]);
  });

  it('CEN-1 a count between census hours never touches the report', async () => {
    const { app, server } = openPage(fakeDay());
    app.api.on(takeSnapshot, ({ body, params }) => ({
      id: ME,
      unit_id: params.unit,
      population: body.population,
      taken_at: '2026-11-20T07:03:00Z',
      occupied: body.occupied,
      blocked: body.blocked,
      staffed: 28,
      taken_by: { id: ME, name: 'Ana Reyes' },
    }));
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Count now' }));
    fireEvent.change(field('Occupied now'), { target: { value: '21' } });
    fireEvent.change(field('Blocked now'), { target: { value: '1' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save the count' }));
    await screen.findByText('counted 21 at 07:03');
    expect(server.seen).toEqual([]);
  });
});
