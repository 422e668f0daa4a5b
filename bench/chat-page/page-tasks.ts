import type { Browser, BrowserContext, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds by the clock, and of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface PageTasks {
  readonly tasks: number;
  /** Of the longest task, by the clock and of the processor: what others on the machine cost is in the first alone. */
  readonly longestMs: number;
  readonly longestCpuMs: number;
  /** Tasks that took more processor time than a frame of 50 ms has. */
  readonly over50Ms: number;
}

/** What the page's main part did while `act` ran, task by task. */
export async function watchTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<PageTasks> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  let events: TraceEvent[] = [];
  try {
    await act();
  } finally {
    events = (JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }).traceEvents;
  }
  const runner = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(runner),
  );
  const tasks = events.filter((event) => event.name === 'RunTask' && event.ph === 'X' && main.has(runner(event)));
  const ms = (values: (number | undefined)[]) =>
    Math.round(Math.max(0, ...values.map((value) => value ?? 0)) / 100) / 10;
  return {
    tasks: tasks.length,
    longestMs: ms(tasks.map(({ dur }) => dur)),
    longestCpuMs: ms(tasks.map(({ tdur }) => tdur)),
    over50Ms: tasks.filter(({ tdur = 0 }) => tdur > 50_000).length,
  };
}

/** Gives the processor time, in milliseconds, that the page's main part has had since it was asked first. */
export async function openProcessorClock(context: BrowserContext, page: Page): Promise<() => Promise<number>> {
  const debug = await context.newCDPSession(page);
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await debug.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}
