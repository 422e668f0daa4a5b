// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { onlineManager } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { remindUnit } from '@wardline/contract/census-board.ts';
import { lockFacilityDay, reopenFacilityDay, signFacilityDay } from '@wardline/contract/census-day.ts';
import { notePrint } from '@wardline/contract/census-logs.ts';
import { getCensusSummary } from '@wardline/contract/census-summary.ts';
import { approveUnitDay, returnUnitDay } from '@wardline/contract/census-unit.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { date, fakeDay, fakeSums, gapBlocker, ids, setUpSummary, signed } from './testing/fake-summary.tsx';

// The page asks for several things before it stands.
configure({ asyncUtilTimeout: 8000 });

beforeEach(() => void vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']));

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const ready = () => screen.findByRole('heading', { name: /units in/ });
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));

/** Opens the report of a unit from the strip. */
async function openReport(name: RegExp) {
  await ready();
  const strip = within(screen.getByRole('list', { name: 'Reports' }));
  fireEvent.click(strip.getByRole('button', { name }));
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
    expect(occupancy.textContent).toContain('71.43%40 ÷ 56 bed daysIncomplete: 2 of 3');
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
    expect(cells.map(({ textContent }) => textContent).slice(6, 8)).toEqual(['Licensed beds30', 'Occupancy %73.33']);
  });

  it.each([
    [
      'a day',
      `by=day&from=${date}&to=${date}`,
      ['Measures', 'Transfers', 'Newborn', 'Units', 'Days', 'Trend', 'Compare', 'Notes'],
    ],
    [
      'a month',
      'by=month&from=2026-11-01',
      ['Measures', 'Transfers', 'Occupancy', 'Days', 'Trend', 'Units', 'Compare', 'Notes'],
    ],
  ])('CEN-6 each part of %s is a link away', async (_name, search, labels) => {
    setUpSummary({ search }).draw();
    await screen.findByRole('heading', { name: 'Compare' });
    const ways = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
    expect(ways.map(({ textContent }) => textContent)).toEqual(labels);
    for (const way of ways) {
      const part = document.getElementById(way.getAttribute('href')?.slice(1) ?? '');
      expect(part?.childElementCount, way.textContent ?? '').toBeGreaterThan(0);
      expect(part?.getAttribute('tabindex')).toBe('-1');
    }
  });

  it('CEN-6 R7 rings the transfer on which two units differ, and names both', async () => {
    setUpSummary().draw();
    await ready();
    expect(document.querySelector('.mx-gap')?.textContent).toContain('3 · 2');
    expect(screen.getByText('MED 3A sent 3, SUR 2B received 2')).toBeTruthy();
    const gaps = within(screen.getByRole('list', { name: 'Transfers on which the two sides differ' }));
    fireEvent.click(gaps.getByRole('button', { name: 'Open SUR 2B' }));
    expect(await screen.findByRole('dialog', { name: 'SUR 2B, Thu 19 Nov' })).toBeTruthy();
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
    fireEvent.click((await dialog(/SUR 2B/)).getByRole('button', { name: 'Approve SUR 2B' }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ unit: ids.sur, date, class: 'adult_child' }, 3));
  });

  it('CEN-6 R13 an act that met another’s says what they changed, and shows it', async () => {
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
    fireEvent.click((await dialog(/SUR 2B/)).getByRole('button', { name: 'Approve SUR 2B' }));
    expect(
      await screen.findByText('Somebody was faster. SUR 2B is returned now. Look, then do it again.'),
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
    const words = open.getByLabelText('What is to be corrected');
    fireEvent.input(words, { target: { value: 'no' } });
    fireEvent.click(open.getByRole('button', { name: 'Return SUR 2B' }));
    expect(await open.findByText('Say why, in at least 5 characters.')).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    fireEvent.input(words, { target: { value: 'Count the leave again' } });
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
      return { thread_chat_id: ids.icu };
    });
    draw();
    await openReport(/^ICU/);
    fireEvent.click((await dialog(/ICU/)).getByRole('button', { name: 'Remind ICU' }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ unit_id: ids.icu, class: 'adult_child' }));
  });

  it('CEN-6 the address carries the period; the step after the newest date cannot be taken', async () => {
    const { draw, state } = setUpSummary({ search: 'by=month&from=2026-10-01' });
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'September 2026' }));
    expect(state.went).toEqual(['by=month&from=2026-09-01&to=2026-09-30']);
    expect(await screen.findByRole('heading', { name: '3 of 4 reports in; 1 late; 1 missing' })).toBeTruthy();
  });

  it('CEN-6 a range is typed date by date: the first counts when it is left, and the focus stays in the second', async () => {
    const { draw, state } = setUpSummary({ search: 'by=range&from=2026-11-02&to=2026-11-15' });
    draw();
    const first = await screen.findByLabelText('First census date');
    const last = screen.getByLabelText('Last census date');
    first.focus();
    fireEvent.change(first, { target: { value: '2026-11-05' } });
    expect(state.went).toEqual([]);
    last.focus();
    expect(state.went).toEqual(['by=range&from=2026-11-05&to=2026-11-15']);
    expect(document.activeElement).toBe(last);
    expect(screen.getByLabelText('Last census date')).toBe(last);
    expect(first).toHaveProperty('value', '2026-11-05');
    last.blur();
    expect(state.went).toHaveLength(1);
  });

  it('CEN-6 offline what was not loaded says so, and the page does not wait for it', async () => {
    onlineManager.setOnline(false);
    setUpSummary({ search: 'by=month&from=2026-10-01' }).draw();
    expect(await screen.findByText('Shown when there is a network')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'October 2026, choose another date' })).toBeTruthy();
    onlineManager.setOnline(true);
    expect(await screen.findByRole('heading', { name: '3 of 4 reports in; 1 late; 1 missing' })).toBeTruthy();
  });

  it('CEN-6 of a unit that has reported nothing the sums are dashes, not noughts', async () => {
    setUpSummary({ search: 'by=month&from=2026-11-01' }).draw();
    const table = within(await screen.findByRole('table', { name: 'Sums of the units' }));
    const cellsOf = (name: RegExp) =>
      within(table.getByRole('row', { name }))
        .getAllByRole('cell')
        .map(({ lastChild }) => lastChild?.textContent);
    expect(cellsOf(/^ICU/).slice(0, 4)).toEqual(['–', '–', '–', '–']);
    expect(cellsOf(/^MED 3A/)).not.toContain('–');
  });

  it('CEN-6 overrides and restatements stand with the figures they touch', async () => {
    setUpSummary({ search: 'by=month&from=2026-11-01' }).draw();
    expect(
      await screen.findByText('Thu 12 Nov 2026: transfer gap 1, accepted by Owen Hart: patient moved 23:58'),
    ).toBeTruthy();
    expect(screen.getByText('2 reports restated: an earlier day was corrected, and the opening moved.')).toBeTruthy();
    expect(screen.getByText('Nothing was changed after its day was signed.')).toBeTruthy();
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

describe('CEN-6 the signature', () => {
  it('CEN-6 what blocks it is listed, each a link to its cure', async () => {
    setUpSummary().draw();
    const bar = within(await screen.findByRole('region', { name: '3 things block signing' }));
    const links = bar.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['ICU report missing', `#${ids.icu}-adult_child`],
      ['SUR 2B to approve', `#${ids.sur}-adult_child`],
      ['Transfer gap 1: MED 3A, SUR 2B', '#transfers'],
    ]);
    for (const [, href] of links) expect(document.getElementById(href?.slice(1) ?? '')).not.toBeNull();
    expect(bar.getByRole('button', { name: 'Sign and lock Thu 19 Nov' })).toHaveProperty('disabled', true);
  });

  it('CEN-6 R7 a transfer whose other side has not reported is no gap of its own: the missing report is', async () => {
    const day = fakeDay();
    const open = { ...gapBlocker, partner_unit_id: ids.icu, message: 'Transfer gap 2: MED 3A, ICU' };
    setUpSummary({ day: { ...day, transfer_gap: 3, blockers: [...day.blockers, open] } }).draw();
    const bar = within(await screen.findByRole('region', { name: '3 things block signing' }));
    expect(bar.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'ICU report missing',
      'SUR 2B to approve',
      'Transfer gap 1: MED 3A, SUR 2B',
    ]);
  });

  it('CEN-6 R7 a transfer gap alone is accepted with words that say why; the outcome has the focus', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay({ blockers: [gapBlocker] }) });
    const sent = vi.fn();
    api.on(signFacilityDay, ({ body }) => {
      sent(body);
      state.day = fakeDay({ ...signed, status: 'locked' });
      return state.day;
    });
    draw();
    await ready();
    screen.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }).focus();
    press('Sign and lock Thu 19 Nov');
    const open = await dialog('Sign Thu 19 Nov');
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    expect(await open.findByText('Say why, in at least 5 characters.')).toBeTruthy();
    fireEvent.input(open.getByLabelText('Why a transfer gap of 1 is accepted'), {
      target: { value: 'patient moved 23:58' },
    });
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    const outcome = await screen.findByRole('heading', { name: 'Thu 19 Nov is signed and locked' });
    await waitFor(() => expect(document.activeElement).toBe(outcome));
    expect(sent).toHaveBeenCalledWith(
      expect.objectContaining({ version: 7, lock: true, override_reason: 'patient moved 23:58', total: null }),
    );
    expect(screen.getByText(/^By Owen Hart, Fri,? 20 Nov 2026, 09:12:00/).textContent).toContain('log head ab12cd34');
  });

  it('CEN-6 R13 who gives up a signature that somebody has blocked meanwhile finds the focus at what blocks it', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay({ blockers: [], transfer_gap: 0 }) });
    api.on(signFacilityDay, () => {
      state.day = fakeDay();
      throw new FakeRefusal('conflict');
    });
    draw();
    await ready();
    const signs = 'Sign and lock Thu 19 Nov';
    screen.getByRole('button', { name: signs }).focus();
    press(signs);
    const open = await dialog('Sign Thu 19 Nov');
    fireEvent.click(open.getByRole('button', { name: signs }));
    await open.findByText(/^Somebody was faster/);
    fireEvent.click(open.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/block signing$/));
  });

  it('CEN-6 R17 a total from elsewhere that holds a unit twice is named before it is sent', async () => {
    const { api, draw } = setUpSummary({ day: fakeDay({ blockers: [], transfer_gap: 0 }) });
    const sent = vi.fn();
    api.on(signFacilityDay, ({ body }) => {
      sent(body.total);
      return fakeDay(signed);
    });
    draw();
    await ready();
    press('Sign and lock Thu 19 Nov');
    const open = await dialog('Sign Thu 19 Nov');
    fireEvent.change(open.getByLabelText('Total from elsewhere'), { target: { value: '71' } });
    expect(
      open.getByText('71 counts MED 3A twice: the units add up to 49, and its 22 are in that already.'),
    ).toBeTruthy();
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    await waitFor(() => expect(document.querySelector('[aria-busy]')).toBeNull());
    expect(sent).not.toHaveBeenCalled();
    fireEvent.change(open.getByLabelText('Total from elsewhere'), { target: { value: '49' } });
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    await waitFor(() => expect(sent.mock.calls).toEqual([[49]]));
  });

  it('CEN-6 a signed day is locked by who may; the outcome has the focus', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay(signed) });
    api.on(lockFacilityDay, ({ body }) => {
      state.day = fakeDay({ ...signed, status: body.version === 7 ? 'locked' : 'open' });
      return state.day;
    });
    draw();
    const lock = await screen.findByRole('button', { name: 'Lock Thu 19 Nov' });
    lock.focus();
    fireEvent.click(lock);
    const outcome = await screen.findByRole('heading', { name: 'Thu 19 Nov is signed and locked' });
    await waitFor(() => expect(document.activeElement).toBe(outcome));
  });

  it('CEN-6 R19 a day is not reopened without a reason and words', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay(signed) });
    const sent = vi.fn();
    api.on(reopenFacilityDay, ({ body }) => {
      sent(body.reason_code, body.reason);
      state.day = fakeDay({ status: 'reopened', reopen_reason: body.reason });
      return state.day;
    });
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }));
    const open = await dialog('Reopen Thu 19 Nov?');
    fireEvent.click(open.getByRole('button', { name: 'Reopen Thu 19 Nov' }));
    expect(await open.findByText('Choose a reason.')).toBeTruthy();
    expect(open.getByText('Say why, in at least 5 characters.')).toBeTruthy();
    fireEvent.change(open.getByLabelText('Reason'), { target: { value: 'late_slip' } });
    fireEvent.input(open.getByLabelText('In words'), { target: { value: 'Slip from the night' } });
    fireEvent.click(open.getByRole('button', { name: 'Reopen Thu 19 Nov' }));
    await waitFor(() => expect(sent.mock.calls).toEqual([['late_slip', 'Slip from the night']]));
    expect(await screen.findByText('Slip from the night')).toBeTruthy();
  });
});

describe('CEN-6 on paper', () => {
  it.each([
    ['units', `by=day&from=${date}&to=${date}&print=units`, 4],
    ['day', `by=day&from=${date}&to=${date}&print=day`, 1],
    ['month', 'by=month&from=2026-11-01&print=month', 1],
    ['doh', 'by=month&from=2026-11-01&print=doh', 1],
  ])('CEN-6 the sheets of %s say when, by whom, how whole, and the head of the log', async (kind, search, count) => {
    const { api, draw } = setUpSummary({ search, day: fakeDay(signed) });
    const noted = vi.fn();
    api.on(notePrint, ({ body }) => noted(body.sheet));
    draw();
    const sheets = await screen.findAllByRole('article');
    expect(sheets).toHaveLength(count);
    expect(sheets[0]?.textContent).toMatch(/Generated .* \(UTC\) by Ana Reyes\. Complete: \d of \d reports?/);
    const print = vi.fn();
    vi.stubGlobal('print', print);
    press('Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await waitFor(() => expect(noted.mock.calls).toEqual([[kind]]));
  });

  it('CEN-6 the sum under the day’s sheet leaves out what is not handed in', async () => {
    setUpSummary({ search: `by=day&from=${date}&to=${date}&print=day` }).draw();
    const sum = await screen.findByRole('row', { name: /^Reports that are in/ });
    const cells = [...sum.querySelectorAll('td')].map(({ textContent }) => textContent);
    // Opening of MED 3A, SUR 2B and NUR without the ICU's 9; the last are staffed beds, share and state.
    expect(cells[0]).toBe('50');
    expect(cells.slice(-3)).toEqual(['70', '', '']);
  });

  it('CEN-6 the DOH block divides by authorised beds and shows both denominators, by whichever the facility counts', async () => {
    const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=doh' });
    api.on(getCensusSummary, ({ query }) => {
      const { total, ...sums } = fakeSums(query.from, query.to);
      return {
        ...sums,
        total: { ...total, adult_child: { ...total.adult_child, bed_days: 60 } },
        denominator: 'licensed' as const,
      };
    });
    draw();
    await screen.findByRole('article');
    const figure = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) }).textContent;
    expect(figure('Bed occupancy rate, by authorised beds')).toContain('66.67 %*40 ÷ 60');
    expect(figure('Authorised beds, average')).toContain('60');
    expect(figure('Implementing beds, average')).toContain('56');
  });

  it('CEN-6 the day’s sheet names the beds that its occupancy is a share of', async () => {
    const units = fakeDay().units.map((unit) => ({
      ...unit,
      service_days: 10,
      beds: { ...unit.beds, licensed: 40, staffed: 20 },
    }));
    setUpSummary({
      day: fakeDay({ denominator: 'licensed', units }),
      search: `by=day&from=${date}&to=${date}&print=day`,
    }).draw();
    const sheet = within(await screen.findByRole('article'));
    expect(sheet.getByRole('columnheader', { name: 'Licensed' })).toBeDefined();
    expect(sheet.queryByRole('columnheader', { name: 'Staffed' })).toBeNull();
    const [first] = units;
    const [row] = sheet.getAllByRole('row', { name: new RegExp(`^${first?.unit_code}`) });
    expect(row?.textContent).toContain('4025.00');
  });
});
