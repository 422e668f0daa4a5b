import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query';
import { datesFrom } from '@wardline/census/calendar.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HeardChange, isTouched, refetchChanged } from './refetch-changed.ts';

const facility = '018f0000-0000-7000-8000-000000000001';
const MONTH = { from: '2026-11-01', to: '2026-11-30' };

const changeOf = (census_date: string, to_date?: string): HeardChange => ({
  facility_id: facility,
  census_date,
  ...(to_date !== undefined && { to_date }),
  unit_id: null,
});

let queries: QueryClient;
let leave: (() => void)[];
beforeEach(() => {
  vi.useFakeTimers();
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  leave = [];
});
afterEach(() => {
  for (const end of leave) end();
  queries.clear();
  vi.useRealTimers();
});

/** A query that is shown, and answers after so long. */
function show(queryKey: QueryKey, takesMs = 0) {
  const seen = { asked: [] as number[], aborted: 0, answered: 0 };
  const observer = new QueryObserver(queries, {
    queryKey,
    queryFn: async ({ signal }) => {
      signal.addEventListener('abort', () => {
        seen.aborted += 1;
      });
      seen.asked.push(Date.now());
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      seen.answered += 1;
      return seen.answered;
    },
  });
  leave.push(observer.subscribe(() => undefined));
  return seen;
}
const tell = (change: HeardChange = null) => refetchChanged(queries, { queryKey: ['board'], change });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('what is loaded anew', () => {
  it('F-C8 31 events at once load each query once, and again only for what is heard later, a second after', async () => {
    const [now, heat] = [show(['board', 'now']), show(['board', 'heatmap', MONTH])];
    await pass(10);
    for (const date of datesFrom('2026-11-01', '2026-12-01')) tell(changeOf(date));
    await pass(500);
    expect([now.asked.length, heat.asked.length]).toEqual([2, 2]);
    await pass(5000);
    expect(now.asked.length).toBe(2);
    tell(changeOf('2026-11-01'));
    tell(changeOf('2026-11-02'));
    await pass(0);
    expect(now.asked.length).toBe(3);
    tell(changeOf('2026-11-03'));
    await pass(999);
    expect(now.asked.length).toBe(3);
    await pass(1);
    expect(now.asked.length).toBe(4);
  });

  it('F-C8 events without an end load a query at most once a second and abort nothing, however long an answer takes', async () => {
    for (const takesMs of [0, 300, 999, 1001, 2500]) {
      const seen = show(['board', takesMs], takesMs);
      await pass(takesMs);
      const from = seen.asked.length;
      for (let told = 0; told < 200; told += 1) {
        tell();
        await pass(50);
      }
      await pass(10_000);
      const asked = seen.asked.slice(from);
      const shortest = Math.min(...asked.slice(1).map((at, index) => at - (asked[index] ?? 0)));
      expect(shortest).toBeGreaterThanOrEqual(1000);
      expect(asked.length).toBeGreaterThanOrEqual(Math.floor(10_000 / Math.max(1000, takesMs)));
      expect([seen.aborted, seen.answered]).toEqual([0, seen.asked.length]);
      leave.pop()?.();
    }
  });

  it('F-C8 what is on its way when a change is heard is not aborted, and is asked once more when it has come', async () => {
    const seen = show(['board', 'now'], 400);
    await pass(100);
    tell();
    tell();
    await pass(299);
    expect([seen.asked.length, seen.aborted]).toEqual([1, 0]);
    await pass(1);
    expect([seen.asked.length, seen.answered, seen.aborted]).toEqual([2, 1, 0]);
    await pass(5000);
    expect([seen.asked.length, seen.answered, seen.aborted]).toEqual([2, 2, 0]);
  });

  it('F-C8 a query of other dates than those that changed is left, and one without dates is not', async () => {
    const [now, heat] = [show(['board', 'now']), show(['board', 'heatmap', MONTH])];
    await pass(10);
    tell(changeOf('2026-10-01', '2026-10-31'));
    await pass(10);
    expect([now.asked.length, heat.asked.length]).toEqual([2, 1]);
    tell(changeOf('2026-10-31', '2026-11-01'));
    await pass(2000);
    expect([now.asked.length, heat.asked.length]).toEqual([3, 2]);
  });

  it('F-C8 CEN-2 a draft that is saved is loaded where drafts are shown, and moves no board', async () => {
    const [now, report] = [show(['board', 'now']), show(['report'])];
    await pass(10);
    const change = { facility_id: facility, census_date: '2026-11-01', unit_id: null, is_draft: true };
    refetchChanged(queries, { queryKey: ['board'], change });
    refetchChanged(queries, { queryKey: ['report'], change, showsDrafts: true });
    await pass(2000);
    expect([now.asked.length, report.asked.length]).toEqual([1, 2]);
  });

  it('F-C8 a query that nobody shows is not loaded, but it is when it is shown again', async () => {
    const seen = show(['board', 'now']);
    await pass(10);
    leave.pop()?.();
    tell();
    await pass(2000);
    expect(seen.asked.length).toBe(1);
    expect(queries.getQueryState(['board', 'now'])?.isInvalidated).toBe(true);
  });

  it('F-C8 a load that fails is asked again at the next change', async () => {
    let asked = 0;
    const queryFn = async () => {
      asked += 1;
      throw new Error('no network');
    };
    leave.push(new QueryObserver(queries, { queryKey: ['board', 'now'], queryFn }).subscribe(() => undefined));
    await pass(10);
    tell();
    await pass(2000);
    tell();
    await pass(10);
    expect(asked).toBe(3);
  });
});

it('F-C8 an event without a last date, as an older server sends it, is of its one date', () => {
  const touched = (change: HeardChange, from: string, to = from) => isTouched(change, { from, to });
  expect(touched(changeOf('2026-11-10'), '2026-11-10')).toBe(true);
  expect(touched(changeOf('2026-11-10'), '2026-11-11')).toBe(false);
  expect(touched(changeOf('2026-11-10', '2026-11-20'), '2026-11-15')).toBe(true);
  expect(touched(changeOf('2026-11-10', '2026-11-20'), '2026-11-21', '2026-11-30')).toBe(false);
  expect(touched(changeOf('2026-11-10', '2026-11-20'), '2026-11-01', '2026-11-30')).toBe(true);
  expect(touched(null, '2026-11-15')).toBe(true);
});
