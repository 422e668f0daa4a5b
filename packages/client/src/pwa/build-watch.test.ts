import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSource } from '#/observable.ts';
import { settle } from '#/testing/settle.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { type Build, type BuildWatchDeps, createBuildWatch } from './build-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function setUp(change: Partial<BuildWatchDeps> = {}) {
  let answer: () => Response = () => Response.json({ id: 'now', timestamp: 5 });
  const asked: string[] = [];
  const focus = createSource(true);
  const log = createSilentLog();
  const onNewBuild = vi.fn<(latest: Build) => void>();
  const watch = createBuildWatch({
    build: { id: 'now', timestamp: 5 },
    intervalMs: HOUR,
    focus,
    log,
    onNewBuild,
    fetch: async (url) => {
      asked.push(String(url));
      return answer();
    },
    ...change,
  });
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await settle();
  };
  const lookAt = async () => {
    focus.set(false);
    focus.set(true);
    await settle();
  };
  const respond = (make: () => Response) => {
    answer = make;
  };
  return { watch, asked, log, onNewBuild, pass, lookAt, respond };
}

describe('when it looks', () => {
  it('PWA-7 the manifest is asked for every hour, never from a cache', async () => {
    const { asked, pass } = setUp();
    await pass(HOUR - 1);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual([`/builds/latest.json?${1_000_000 + HOUR}`]);
    await pass(HOUR);
    expect(asked).toHaveLength(2);
  });

  it('PWA-7 coming back to the tab looks too, at most once a minute', async () => {
    const { asked, pass, lookAt } = setUp();
    await pass(MINUTE - 1);
    await lookAt();
    expect(asked).toHaveLength(0);
    await pass(1);
    await lookAt();
    await lookAt();
    expect(asked).toHaveLength(1);
    await pass(MINUTE);
    await lookAt();
    expect(asked).toHaveLength(2);
  });

  it('PWA-7 an interval of 0 never looks', async () => {
    const { asked, pass, lookAt } = setUp({ intervalMs: 0 });
    await pass(10 * HOUR);
    await lookAt();
    expect(asked).toEqual([]);
  });

  it('PWA-7 what is stopped looks no more', async () => {
    const { watch, asked, pass, lookAt } = setUp();
    watch.stop();
    await pass(10 * HOUR);
    await lookAt();
    expect(asked).toEqual([]);
  });
});

describe('what it finds', () => {
  it('PWA-7 a newer build is told once, and the page is outdated from then on', async () => {
    const { watch, asked, onNewBuild, pass, respond } = setUp();
    respond(() => Response.json({ id: 'next', timestamp: 6 }));
    expect(watch.isOutdated()).toBe(false);
    await pass(HOUR);
    expect(watch.isOutdated()).toBe(true);
    expect(onNewBuild).toHaveBeenCalledExactlyOnceWith({ id: 'next', timestamp: 6 });
    await watch.check();
    await pass(10 * HOUR);
    expect(onNewBuild).toHaveBeenCalledTimes(1);
    expect(asked).toHaveLength(2);
  });

  it('PWA-7 an older build of a server that runs behind is not newer', async () => {
    const { watch, respond } = setUp();
    respond(() => Response.json({ id: 'before', timestamp: 4 }));
    await watch.check();
    expect(watch.isOutdated()).toBe(false);
    const unknown = setUp({ build: { id: 'now' } });
    unknown.respond(() => Response.json({ id: 'before', timestamp: 4 }));
    await unknown.watch.check();
    expect(unknown.watch.isOutdated()).toBe(true);
  });

  it.each([
    [
      'a page',
      () => new Response('<!doctype html><title>Wardline</title>', { headers: { 'Content-Type': 'text/html' } }),
    ],
    ['another shape', () => Response.json({ id: 7 })],
    ['nothing', () => Response.json(null)],
  ])('PWA-7 %s in the place of a manifest is not one, which is logged once', async (_what, make) => {
    const { watch, log, onNewBuild, respond } = setUp();
    respond(make);
    await watch.check();
    await watch.check();
    expect(onNewBuild).not.toHaveBeenCalled();
    expect(log.lines).toEqual([
      { level: 'debug', line: '[build] Received a malformed build manifest', detail: undefined },
    ]);
  });

  it.each([
    ['an error', () => new Response('{"id":"next","timestamp":6}', { status: 503 })],
    [
      'no network',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
  ])('PWA-7 %s says nothing, and the next look is planned', async (_what, make) => {
    const { watch, log, pass, respond, asked } = setUp();
    respond(make);
    await pass(HOUR + MINUTE);
    expect(watch.isOutdated()).toBe(false);
    expect(log.lines).toEqual([]);
    const before = asked.length;
    await pass(HOUR);
    expect(asked.length).toBeGreaterThan(before);
  });
});
