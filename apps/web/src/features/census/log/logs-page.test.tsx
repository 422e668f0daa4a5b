// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { type LogEntry, type LogVerification, listCensusLog, verifyCensusLog } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listUnits } from '@wardline/contract/facilities/facilities.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { LogsPage } from './logs-page.tsx';

const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const facility: Facility = {
  id: id(1),
  name: 'St. Brigid General',
  code: 'SB',
  time_zone: 'Asia/Manila',
  permissions: ['census.logs', 'census.report_units'],
  unit_count: 8,
  title: null,
  roles: [],
} as unknown as Facility;

const entry = (seq: number, more: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  at: '2026-11-19T08:20:07.000Z',
  actor_id: id(2),
  actor_name: 'Ana Reyes',
  actor_title: 'Charge nurse, MED 3A',
  action: 'unit_day.save',
  outcome: 'done',
  unit_id: id(3),
  unit_code: 'MED 3A',
  census_date: '2026-11-17',
  population: 'adult_and_child',
  before: { discharges: 4, closing: 25, version: 4 },
  after: { discharges: 5, closing: 24, version: 5 },
  after_approval: true,
  reason_code: 'late_slip',
  reason: 'discharge at 23:20, slip found in the morning',
  source: 'web',
  device_time: '2026-11-19T08:20:05.000Z',
  request_id: 'r',
  app_version: '0.1.0',
  ip: null,
  discussion_chat_id: id(4),
  is_readable: true,
  redacted_at: null,
  redacted_after_years: null,
  prev_hash: '90aa51f7'.repeat(8),
  hash: 'c41e09d27b3a'.repeat(6).slice(0, 64),
  ...more,
});

const whole: LogVerification = {
  verified_at: '2026-11-20T00:30:00.000Z',
  entries: 48_212,
  took_ms: 210,
  head: { seq: 48_212, hash: '7f3a91c0e2b54d18'.repeat(4) },
  broken_at: null,
  changed_day: null,
  kept_outside: [
    {
      ...{ census_date: '2026-11-18', seq: 48_170, hash: 'ab'.repeat(32), at: '2026-11-19T03:04:00.000Z' },
      ...{ is_printed: true, is_mailed: false },
    },
  ],
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function setUp(pages: readonly LogEntry[][] = [[entry(2)]], { search = '', chain = whole } = {}) {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T02:00:00Z'));
  const app = createFakeApp();
  const gone: string[] = [];
  app.api.on(listCensusLog, ({ query }) => {
    const page = Number(query.cursor ?? 0);
    return { data: pages[page] ?? [], next_cursor: page + 1 < pages.length ? String(page + 1) : null };
  });
  app.api.on(verifyCensusLog, ({ query }) => (query.run ? { ...chain, entries: chain.entries + 1 } : chain));
  app.api.on(listUnits, () => ({
    data: [{ id: id(3), name: 'Medical 3A', code: 'MED 3A', kind: 'ward', position: 0 }],
  }));
  app.api.on(listMembers, () => ({ data: [], next_cursor: null }));
  const go = (href: string) => gone.push(href);
  app.draw(<Addressed search={search} onGo={go} />);
  return { ...app, gone };
}

/** The page with an address that follows it. */
function Addressed({ search: first, onGo }: { search: string; onGo: (href: string) => void }) {
  const [search, setSearch] = useState(first);
  const go = (href: string) => {
    onGo(href);
    setSearch(new URL(href, location.href).search);
  };
  return <LogsPage facility={facility} search={search} onGo={go} />;
}

const asked = (api: { asked: string[] }) => api.asked.filter((line) => /\/logs(\?|$)/.test(line));
const shown = () => screen.findAllByRole('article');

describe('the entries', () => {
  it('CEN-7 stand under the day on which they were written, by the facility’s clock, as plain sentences', async () => {
    setUp([[entry(3, { at: '2026-11-19T16:30:00.000Z' }), entry(2), entry(1)]]);
    const articles = await shown();
    expect(articles.map((article) => within(article).queryByRole('heading')?.textContent)).toEqual([
      'Fri 20 Nov',
      'Thu 19 Nov',
      undefined,
    ]);
    expect(articles[0]?.textContent).toContain('00:30');
    expect(articles[1]?.textContent).toContain(
      'Ana Reyes changed discharges 4 to 5 on MED 3A, Tue 17 Nov, after approval: late slip.',
    );
    expect(screen.getByRole('feed', { name: 'Log' })).toBeTruthy();
  });

  it('F-C8 are asked for every minute: that a draft was saved is an entry, and not loaded each time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { api } = setUp([[entry(1)]]);
    await shown();
    expect(asked(api)).toHaveLength(1);
    await act(async () => void vi.advanceTimersByTime(60_000));
    await waitFor(() => expect(asked(api)).toHaveLength(2));
  });

  it.each<[string, Partial<LogEntry>]>([
    ['After approval', {}],
    ['Refused', { outcome: 'refused', after: { refused: 'LOCKED' } }],
    ['Restated', { action: 'unit_day.restate' }],
  ])('CEN-7 what is out of the ordinary has its word: %s', async (word, more) => {
    setUp([[entry(1, more)]]);
    const [article] = await shown();
    expect(article && within(article).getByText(word)).toBeTruthy();
  });

  it('CEN-7 an entry whose text was removed says after how long, and its hash stays', async () => {
    const gone = { actor_id: null, actor_name: '', actor_title: null, before: null, after: null, reason: null };
    const mark = { redacted_at: '2026-11-18T16:00:00.000Z', redacted_after_years: 6, after_approval: false };
    setUp([[entry(4211, { ...gone, ...mark, reason_code: null, device_time: null })]]);
    const line = (await screen.findByText(/was removed after 6 years/)).closest('button') as HTMLElement;
    expect(line.textContent).toContain('Entry 4,211 was removed after 6 years.');
    fireEvent.click(line);
    expect(await screen.findByText(/^c41e 09d2 7b3a … follows/)).toBeTruthy();
    expect(screen.getByText('Text removed')).toBeTruthy();
    expect(screen.queryByText('How')).toBeNull();
  });

  it('CEN-7 an entry whose text was changed past the server says so', async () => {
    setUp([[entry(7, { is_readable: false, actor_name: '' })]]);
    const line = (await screen.findByText(/Entry 7 cannot be read/)).closest('button') as HTMLElement;
    fireEvent.click(line);
    expect(await screen.findByText('Who')).toBeTruthy();
    expect(screen.queryByText('How')).toBeNull();
  });

  it('CEN-7 opened, an entry shows what changed, why, who, when by both clocks, how, and what it follows', async () => {
    setUp();
    const line = (await screen.findByText(/changed/)).closest('button') as HTMLElement;
    expect(line.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(line);
    expect(line.getAttribute('aria-expanded')).toBe('true');
    const rows = within(screen.getByRole('table', { name: 'What changed' })).getAllByRole('row');
    const cells = rows.map((row) => [...row.querySelectorAll('th, .table-value')].map((cell) => cell.textContent));
    expect(cells).toEqual([
      ['Field', 'Before', 'After'],
      ['Discharges', '4', '5'],
      ['Closing, computed', '25', '24'],
      ['Version', '4', '5'],
    ]);
    const terms = [...document.querySelectorAll('.log-facts dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]);
    expect(terms).toEqual([
      ['Why', 'Late slip: “discharge at 23:20, slip found in the morning”'],
      ['Who', 'Ana Reyes, Charge nurse, MED 3A'],
      ['When', 'Thu 19 Nov, 16:20:07 (device 16:20:05)'],
      ['How', 'Web, version 4 to 5, app 0.1.0'],
      ['Hash', 'c41e 09d2 7b3a … follows 90aa 51f7 …'],
    ]);
    fireEvent.click(line);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('CEN-7 leads to the day and to the discussion about it', async () => {
    setUp();
    fireEvent.click(await screen.findByText(/changed/));
    expect(screen.getByRole('link', { name: 'Open Tue 17 Nov' }).getAttribute('href')).toBe(
      `/census-unit?unit=${id(3)}&date=2026-11-17&population=adult_and_child`,
    );
    expect(screen.getByRole('link', { name: 'Open discussion' }).getAttribute('href')).toBe(
      `/chat/f-${facility.id}/c-${id(4)}`,
    );
  });

  it('CEN-7 earlier entries come when the end of the list is reached', async () => {
    const { api } = setUp([[entry(3), entry(2)], [entry(1)]]);
    await waitFor(async () => expect(await shown()).toHaveLength(3));
    expect(asked(api)).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull();
  });

  it('CEN-7 a search that found nothing so far goes on when it is asked to, and not by itself', async () => {
    const { api } = setUp([[], [entry(1)]], { search: '?q=needle' });
    const further = await screen.findByRole('button', { name: 'Search earlier' });
    expect(asked(api)).toHaveLength(1);
    fireEvent.click(further);
    expect(await shown()).toHaveLength(1);
  });
});

describe('the filters', () => {
  it('CEN-7 the address says what is asked for and what is pressed', async () => {
    const search = `?from=2026-11-17&to=2026-11-20&unit=${id(3)}&actor=${id(2)}&action=unit_day.save&after_approval=true&with_reason=true&q=slip`;
    const { api } = setUp([[entry(1)]], { search });
    await shown();
    await screen.findByText('MED 3A · Medical 3A');
    expect(asked(api)[0]?.replace('&limit=50', '')).toBe(`GET /api/census/facilities/${facility.id}/logs${search}`);
    const pressed = screen.getAllByRole('button', { pressed: true }).map((chip) => chip.textContent);
    expect(pressed).toEqual([
      'Tue 17 Nov to Fri 20 Nov',
      'MED 3A · Medical 3A',
      'Ana Reyes',
      'Saved',
      'After approval only',
      'With reason',
    ]);
  });

  it.each([
    ['Tue 17 Nov', '?from=2026-11-17&q=x', '/census-logs?q=x'],
    ['With reason', '?with_reason=true&after_approval=true', '/census-logs?after_approval=true'],
  ])('CEN-7 %s is taken off by a press', async (chip, search, href) => {
    const { gone } = setUp([[entry(1)]], { search });
    await shown();
    fireEvent.click(screen.getByRole('button', { name: new RegExp(chip), pressed: true }));
    expect(gone).toEqual([href]);
  });

  it('CEN-7 the focus stays on a filter that is chosen or taken off', async () => {
    setUp();
    await shown();
    const isFocused = (name: string) => expect(document.activeElement?.textContent).toBe(name);
    screen.getByRole('button', { name: 'Action' }).focus();
    fireEvent.keyDown(screen.getByRole('button', { name: 'Action' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Saved' }));
    await screen.findByRole('button', { name: 'Saved', pressed: true });
    await waitFor(() => isFocused('Saved'));
    fireEvent.click(screen.getByRole('button', { name: 'Saved' }));
    await waitFor(() => isFocused('Action'));

    screen.getByRole('button', { name: 'Census dates' }).focus();
    fireEvent.click(screen.getByRole('button', { name: 'Census dates' }));
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-11-18' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    await waitFor(() => isFocused('From Wed 18 Nov'));
    fireEvent.click(screen.getByRole('button', { name: 'From Wed 18 Nov' }));
    isFocused('Census dates');
  });

  it('CEN-7 what makes no sense in the address is left out', async () => {
    const { api } = setUp([[entry(1)]], { search: '?from=2027-02-29&unit=x&action=other&after_approval=1' });
    await shown();
    expect(asked(api)).toEqual([`GET /api/census/facilities/${facility.id}/logs?limit=50`]);
  });

  it('CEN-7 what is typed is searched for when the typing rests', async () => {
    const { gone } = setUp();
    await shown();
    vi.useFakeTimers();
    const box = screen.getByRole('searchbox', { name: 'Search the log' });
    fireEvent.change(box, { target: { value: 'sl' } });
    act(() => vi.advanceTimersByTime(200));
    fireEvent.change(box, { target: { value: 'slip' } });
    act(() => vi.advanceTimersByTime(299));
    expect(gone).toEqual([]);
    act(() => vi.advanceTimersByTime(1));
    vi.useRealTimers();
    expect(gone).toEqual(['/census-logs?q=slip']);
  });

  it('CEN-7 dates are chosen in their order', async () => {
    const { gone } = setUp();
    await shown();
    fireEvent.click(screen.getByRole('button', { name: 'Census dates' }));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-18' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-17' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.getByText('This is before the first date.')).toBeTruthy();
    expect(gone).toEqual([]);
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-19' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(gone).toEqual(['/census-logs?from=2026-11-18&to=2026-11-19']);
  });
});

describe('the states of the list', () => {
  it('CEN-7 says that nothing is written down yet, and apart from it that nothing fits the filters', async () => {
    setUp([[]]);
    expect(await screen.findByText('No data')).toBeTruthy();
    const { gone } = setUp([[]], { search: '?with_reason=true' });
    expect(await screen.findByText('No matching entries.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(gone).toEqual(['/census-logs']);
  });

  it('CEN-7 a failure is said with the way to try again', async () => {
    const app = createFakeApp();
    app.refuse(503, { message: 'The service is not available right now.' });
    app.draw(<LogsPage facility={facility} search="" onGo={() => undefined} />);
    expect(await screen.findByText('The log did not load')).toBeTruthy();
    app.api.on(listCensusLog, () => ({ data: [entry(1)], next_cursor: null }));
    app.answer();
    const state = screen.getByText('The log did not load').closest('[role=alert]') as HTMLElement;
    fireEvent.click(within(state).getByRole('button', { name: 'Retry' }));
    expect(await shown()).toHaveLength(1);
  });

  it('CEN-7 offline, what was loaded stays and says from when it is', async () => {
    setUp();
    await shown();
    act(() => setOnline(false));
    expect(screen.getByText('This is the log as of 10:00.', { exact: false })).toBeTruthy();
    expect(await shown()).toHaveLength(1);
    act(() => setOnline(true));
  });
});

describe('the chain', () => {
  const detailOf = (term: string) => {
    const found = [...document.querySelectorAll('.log-chain dt')].find(({ textContent }) => textContent === term);
    return found?.nextElementSibling?.textContent;
  };

  it('F-N8 names what carried a head outside, and says where nothing has', async () => {
    const [head] = whole.kept_outside;
    if (head === undefined) throw new Error('nothing was kept outside');
    const mailed = { ...head, census_date: '2026-11-17', is_printed: false, is_mailed: true };
    const page = setUp([[entry(2)]], { chain: { ...whole, kept_outside: [{ ...head, is_mailed: true }, mailed] } });
    await waitFor(() =>
      expect(detailOf('Kept outside')).toBe(
        'Sheet and email of Wed 18 Nov, entry 48,170Email of Tue 17 Nov, entry 48,170',
      ),
    );
    expect(page).toBeDefined();
  });

  it('CEN-7 says when it was verified, of how many entries, the head, what was kept outside, and what that is worth', async () => {
    setUp();
    expect(await screen.findByText('No break found')).toBeTruthy();
    expect(document.querySelector('.log-chain-fold .c-success')).toBeTruthy();
    expect(detailOf('Verified')).toBe('Fri 20 Nov, 08:30, took 0.21 s');
    expect(detailOf('Entries')).toBe('48,212, no gap in the numbers');
    expect(detailOf('Head')).toBe('7f3a 91c0 e2b5 4d18 …');
    expect(detailOf('Kept outside')).toBe('Sheet of Wed 18 Nov, entry 48,170');
    expect(screen.getByText(/The chain shows that the log agrees with itself\./)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/tamper-proof/i);
  });

  it('CEN-7 is walked when asked for, and what was found takes the place of what was known', async () => {
    setUp();
    await screen.findByText('No break found');
    fireEvent.click(screen.getByRole('button', { name: 'Verify now' }));
    await waitFor(() => expect(detailOf('Entries')).toBe('48,213, no gap in the numbers'));
  });

  it('CEN-7 a break is said with its number, in a word and a glyph', async () => {
    setUp([[entry(1)]], { chain: { ...whole, broken_at: 31 } });
    const badge = await screen.findByText('Break at 31');
    expect(badge.querySelector('svg')).toBeTruthy();
    expect(detailOf('Entries')).toBe('48,212');
    expect(screen.queryByText('No break found')).toBeNull();
    const fold = screen.getByRole('button', { name: 'Chain: a break at 31' });
    expect(fold.querySelector('.c-error')).toBeTruthy();
    expect(fold.querySelector('.c-success')).toBeNull();
  });

  it('CEN-7 a walk that failed says why and can be tried again', async () => {
    const { api } = setUp();
    await screen.findByText('No break found');
    api.on(verifyCensusLog, () => {
      throw new FakeRefusal('unavailable');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Verify now' }));
    expect(await screen.findByText('The service is not available right now.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Verify now' }).getAttribute('aria-busy')).toBeNull();
  });
});

describe('the export', () => {
  it('CEN-7 takes what the filters show, as a file under the server’s name, and says when it failed', async () => {
    const { api } = setUp([[entry(1)]], { search: '?with_reason=true' });
    await shown();
    const headers = { 'Content-Disposition': 'attachment; filename="census-log-SB-1-3.csv"' };
    const answers = [new Response('seq\r\n1\r\n', { headers }), Response.json({ message: 'No.' }, { status: 403 })];
    const sent: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      sent.push(url);
      return answers[sent.length - 1];
    });
    const kept: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(`${this.download} ${this.href}`);
    });
    const take = () => {
      fireEvent.keyDown(screen.getByRole('button', { name: 'Export' }), { key: 'Enter' });
      fireEvent.click(screen.getByRole('menuitem', { name: 'CSV, for a spreadsheet' }));
    };
    take();
    await waitFor(() => expect(kept).toEqual(['census-log-SB-1-3.csv blob:file']));
    expect(sent[0]).toContain(`/logs/export?with_reason=true&format=csv`);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Export' }).getAttribute('aria-busy')).toBeNull());
    take();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(kept).toHaveLength(1);
    expect(api.asked.some((line) => line.includes('export'))).toBe(false);
  });

  it('F-C4 UI-2 keeps its button busy until the file is there', async () => {
    setUp([[entry(1)]]);
    await shown();
    let answer = (_response: Response) => {};
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Export' }), { key: 'Enter' });
    fireEvent.click(screen.getByRole('menuitem', { name: 'CSV, for a spreadsheet' }));
    const busy = () => screen.getByText('Export').closest('button')?.getAttribute('aria-busy');
    await waitFor(() => expect(busy()).toBe('true'));
    answer(Response.json({ message: 'No.' }, { status: 403 }));
    await waitFor(() => expect(busy()).toBeNull());
  });
});
