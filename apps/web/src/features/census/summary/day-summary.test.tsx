// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { remindUnit } from '@wardline/contract/census/board.ts';
import type { UnitOfDay } from '@wardline/contract/census/day.ts';
import { approveUnitDay, returnUnitDay } from '@wardline/contract/census/unit.ts';
import { describe, expect, it, vi } from 'vitest';
import { date, fakeDay, ids, owen, setUpSummary } from './testing/fake-summary.tsx';
import { dialog, ready } from './testing/summary-actions.ts';

/** Opens the report of a unit from the strip. */
async function openReport(name: RegExp) {
  await ready();
  const strip = within(screen.getByRole('list', { name: 'Reports' }));
  fireEvent.click(strip.getByRole('button', { name }));
}

/** Approves the open report, once all of it has come. */
async function approve(name: string) {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}

describe('CEN-6 a day of the facility', () => {
  it('CEN-6 says first whose reports are in, and marks each figure that leaves one out', async () => {
    setUpSummary().draw();
    expect((await ready()).textContent).toBe('3 of 4 units in; 1 late; ICU missing');
    const strip = within(screen.getByRole('list', { name: 'Reports' }));
    expect(strip.getAllByRole('button').map((cell) => cell.textContent)).toEqual([
      'MED 3Aapproved, 00:44',
      'SUR 2Bto approve, late, 01:52',
      'ICUmissing, due 01:00',
      'NURapproved, 00:44',
    ]);
    const occupancy = await screen.findByRole('row', { name: /^Occupancy, staffed beds/ });
    expect(occupancy.textContent).toContain('71.43%40 service days ÷ 56 staffed bed daysIncomplete: 2 of 3');
    expect(screen.getByRole('row', { name: /^Bassinet occupancy/ }).textContent).not.toContain('Incomplete');
  });

  it('CEN-6 a unit’s share is of the beds that the facility counts by', async () => {
    const { draw, state } = setUpSummary();
    state.day = fakeDay({ denominator: 'licensed' });
    draw();
    await ready();
    const table = within(screen.getByRole('table', { name: 'Reports of the units' }));
    expect(table.getByRole('columnheader', { name: 'Licensed beds' })).toBeTruthy();
    const cells = within(table.getByRole('row', { name: /^MED 3A/ })).getAllByRole('cell');
    expect(cells.map(({ textContent }) => textContent).slice(6, 8)).toEqual([
      'Licensed beds30',
      'Service days ÷ licensed beds, %73.33',
    ]);
  });

  it('CEN-6 CEN-R7 rings the transfer on which two units differ, and names both', async () => {
    setUpSummary().draw();
    await ready();
    expect(document.querySelector('.mx-gap')?.textContent).toContain('3 · 2');
    expect(screen.getByText('MED 3A sent 3, SUR 2B received 2')).toBeTruthy();
    const gaps = within(screen.getByRole('list', { name: 'Transfers on which the two sides differ' }));
    fireEvent.click(gaps.getByRole('button', { name: 'Open SUR 2B' }));
    expect(await screen.findByRole('dialog', { name: 'SUR 2B, Thu 19 Nov' })).toBeTruthy();
  });

  it('CEN-1 CEN-6 marks a head count that differs, by how many and with its reason, in the row and where it is reviewed', async () => {
    const { draw, state } = setUpSummary();
    const sur = fakeDay().units.find(({ unit_id }) => unit_id === ids.sur) as UnitOfDay;
    const counts = { ...sur.counts, counted: 17 };
    const by = { variance_for: -2, variance_by: owen };
    const units = fakeDay().units.map((unit) => (unit.unit_id === ids.sur ? { ...sur, counts, ...by } : unit));
    state.day = fakeDay({ units });
    draw();
    await ready();
    const table = within(screen.getByRole('table', { name: 'Reports of the units' }));
    expect(within(table.getByRole('row', { name: /^SUR 2B/ })).getByText('Head count −1')).toBeTruthy();
    expect(table.getAllByText(/^Head count [+−]/)).toHaveLength(1);
    await openReport(/^SUR 2B/);
    const note = (await dialog(/SUR 2B/)).getByText('Head count −1').parentElement;
    expect(note?.textContent).toBe('Head count −1One patient left at 23:58. (Owen Hart), said of a difference of −2');
  });

  it('CEN-6 the balance of a report has births where the unit tells them', async () => {
    setUpSummary().draw();
    await openReport(/^SUR 2B/);
    expect((await dialog(/SUR 2B/)).getByRole('img', { name: /^Opening 18, / }).getAttribute('aria-label')).toBe(
      'Opening 18, Admissions +2, Transfers in +2, Discharges −3, Deaths 0, Transfers out −1, Closing 18 patients',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await openReport(/^NUR/);
    expect((await dialog(/^NUR/)).getByRole('img', { name: /Births \+4/ })).toBeTruthy();
  });

  it('CEN-6 a report is approved with the version that was looked at', async () => {
    const { api, draw, state } = setUpSummary();
    const sent = vi.fn();
    api.on(approveUnitDay, ({ params, body }) => {
      sent(params, body.version);
      state.day = fakeDay({ units: fakeDay().units.map((unit) => ({ ...unit, status: unit.status && 'approved' })) });
      throw new FakeRefusal('conflict');
    });
    draw();
    await openReport(/^SUR 2B/);
    await approve('Approve SUR 2B');
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ unit: ids.sur, date, population: 'adult_and_child' }, 3));
  });

  it('CEN-3 CEN-6 a correction is named as one, with its reason, what it changes and how many signed days it moves, before it is approved', async () => {
    const { api, draw, state } = setUpSummary();
    const sent = vi.fn();
    api.on(approveUnitDay, () => {
      sent();
      throw new FakeRefusal('conflict');
    });
    state.report = {
      amendment: {
        reason_code: 'late_slip',
        reason: 'Two slips came late',
        changes: [{ field: 'discharges', from: 1, to: 3 }],
      },
      restates: { days: 21, signed: 20 },
    };
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    const changes = within(await open.findByRole('table', { name: 'What the correction changes' }));
    expect(changes.getByRole('row', { name: 'Discharges 1 3' })).toBeTruthy();
    expect(open.getByText('Correction, late slip.').parentElement?.textContent).toContain('Two slips came late');
    expect(open.getByText('Approving changes the opening of 21 later days, 20 of them signed or locked.')).toBeTruthy();
    expect(open.queryByRole('button', { name: 'Approve SUR 2B' })).toBeNull();
    await approve('Approve SUR 2B and change 21 later days');
    await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  });

  it('CEN-3 CEN-6 with four eyes one’s own report is returned or left to somebody else, and says so', async () => {
    const { draw, state } = setUpSummary();
    state.report = { may: { edit: false, submit: false, withdraw: true, return: true, approve: false, amend: false } };
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    expect(await open.findByText('You submitted this report. Someone else has to approve it.')).toBeTruthy();
    expect(open.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(open.getByRole('button', { name: 'Return' })).toBeTruthy();
  });

  it('CEN-3 CEN-6 an approver who may not change signed days is told whom to ask before the press', async () => {
    const { draw, state } = setUpSummary();
    const amendment = { reason_code: 'late_slip', reason: 'Two slips came late', changes: [] };
    state.report = { amendment, restates: { days: 2, signed: 1, ask: [{ id: ids.med, name: 'Ruth Okafor' }] } };
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    const said = await open.findByText(/Who approves it must be able to reopen signed days/);
    expect(said.textContent).toContain('ask Ruth Okafor.');
    const button = open.getByRole<HTMLButtonElement>('button', { name: 'Approve SUR 2B and change 2 later days' });
    expect(button.disabled).toBe(true);
    expect(open.getByRole<HTMLButtonElement>('button', { name: 'Return' }).disabled).toBe(false);
  });

  it('CEN-6 shows who approves a report what the unit wrote: note, partners, confirmed counts and why it was returned', async () => {
    const { draw, state } = setUpSummary();
    const from = {
      unit_id: ids.med,
      unit_code: 'MED 3A',
      direction: 'in' as const,
      partner_status: 'approved' as const,
    };
    state.report = {
      note: 'Two beds are being cleaned.',
      transfers: [{ ...from, mine: 2, theirs: 3 }],
      confirmed: [{ field: 'discharges', count: 9, least: 1, most: 5 }],
      last_reason: 'Count the leave again',
    };
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    const said = async (term: string) => (await open.findByText(term)).nextElementSibling?.textContent;
    expect(await said('Note')).toBe('Two beds are being cleaned.');
    expect(await said('Transfers in, by unit')).toBe('2 from MED 3A, MED 3A says it sent 3');
    expect(await said('Asked and confirmed')).toBe('Discharges 9: usually 1 to 5 on Thursdays.');
    expect(await said('Last return')).toBe('Count the leave again');
    expect(open.queryByText('Transfers out, by unit')).toBeNull();
  });

  it('CEN-6 SHELL-4 a report whose rest did not load is not approved until it has', async () => {
    const { api, draw } = setUpSummary();
    const all = api.around;
    api.around = async ({ line }, go) =>
      line.includes('/api/census/units/') ? Response.json({ message: 'Not now.' }, { status: 503 }) : await go();
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    const again = await open.findByRole('button', { name: 'Retry' });
    const button = open.getByRole('button', { name: 'Approve SUR 2B' }) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    api.around = all;
    fireEvent.click(again);
    await waitFor(() => expect(button.disabled).toBe(false));
  });

  it('CEN-6 CEN-R13 an act that met another’s says what they changed, and shows it', async () => {
    const { api, draw, state } = setUpSummary();
    api.on(approveUnitDay, () => {
      state.day = fakeDay({
        units: fakeDay().units.map((unit) =>
          unit.unit_id === ids.sur ? { ...unit, status: 'returned', version: 4 } : unit,
        ),
      });
      throw new FakeRefusal('conflict');
    });
    draw();
    await openReport(/^SUR 2B/);
    await approve('Approve SUR 2B');
    expect(
      await screen.findByText('Someone else changed this first. SUR 2B is returned now. Check it, then try again.'),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approve SUR 2B' })).toBeNull();
  });

  it('CEN-6 a report is returned with words, of five characters at least', async () => {
    const { api, draw } = setUpSummary();
    const sent = vi.fn();
    api.on(returnUnitDay, ({ body }) => {
      sent(body.reason);
      throw new FakeRefusal('forbidden');
    });
    draw();
    await openReport(/^SUR 2B/);
    const open = await dialog(/SUR 2B/);
    fireEvent.click(open.getByRole('button', { name: 'Return' }));
    const text = open.getByLabelText('What needs correcting');
    fireEvent.input(text, { target: { value: 'no' } });
    fireEvent.click(open.getByRole('button', { name: 'Return SUR 2B' }));
    expect(await open.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    fireEvent.input(text, { target: { value: 'Count the leave again' } });
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);
    expect(screen.getByRole('dialog', { name: /SUR 2B/ })).toBeTruthy();
    fireEvent.click(open.getByRole('button', { name: 'Return SUR 2B' }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith('Count the leave again'));
    expect(await open.findByText('This action is unauthorized.')).toBeTruthy();
  });

  it('CEN-6 a unit that owes its report is reminded', async () => {
    const { api, draw } = setUpSummary();
    const sent = vi.fn();
    api.on(remindUnit, ({ body }) => {
      sent(body);
      return { discussion_chat_id: ids.icu };
    });
    draw();
    await openReport(/^ICU/);
    fireEvent.click((await dialog(/ICU/)).getByRole('button', { name: 'Remind ICU' }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ unit_id: ids.icu, population: 'adult_and_child' }));
  });

  it('SHELL-4 measures that cannot be loaded leave the day alone and are asked for again', async () => {
    const { api, draw } = setUpSummary();
    api.around = async ({ line }, go) =>
      line.includes('/summary') ? Response.json({ message: 'Not now.' }, { status: 503 }) : await go();
    draw();
    await ready();
    expect(await screen.findByText('The measures did not load')).toBeTruthy();
    api.around = (_request, go) => go();
    fireEvent.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
    expect(await screen.findByRole('row', { name: /^Bassinet occupancy/ })).toBeTruthy();
  });
});
