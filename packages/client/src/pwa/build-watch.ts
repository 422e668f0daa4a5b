import { whenTrue } from '#/browser/when-true.ts';
import { ApiError } from '#/http/api-error.ts';
import { fetchJson } from '#/http/fetch-json.ts';
import type { Log } from '#/log.ts';
import type { Observable } from '#/observable.ts';
import { schedule as pageSchedule, type Schedule } from '#/schedule.ts';

/** One build of the client; `timestamp` is when it was made, in milliseconds. */
export interface Build {
  readonly id: string;
  readonly timestamp: number;
}

/** How often coming back to the page may lead to a look, in milliseconds. */
const FOCUS_PAUSE_MS = 60_000;
const LATEST_PATH = '/builds/latest.json';

export interface BuildWatchDeps {
  /** The build that this page was loaded from. Its time may be unknown; then any other build counts as newer. */
  readonly build: Pick<Build, 'id'> & Partial<Build>;
  /** Milliseconds between two looks; 0 means never, also not on focus. */
  readonly intervalMs: number;
  /** Whether somebody looks at this tab. */
  readonly focus: Observable<boolean>;
  readonly log: Log;
  /** Told once, of the first newer build; asks the service worker to update. */
  readonly onNewBuild: (latest: Build) => void;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly schedule?: Schedule;
}

/** Notices that the server has a newer client (PWA-7). */
export interface BuildWatch {
  /** True once a newer build was seen: the next navigation should be a full load. */
  isOutdated(): boolean;
  /** Looks now. Never rejects. */
  check(): Promise<void>;
  stop(): void;
}

/** Makes a watch that looks at /builds/latest.json every so often and when somebody comes back to the tab. */
export function createBuildWatch(deps: BuildWatchDeps): BuildWatch {
  const { build, intervalMs, log, now = Date.now, schedule = pageSchedule } = deps;
  let isOutdated = false;
  let isStopped = intervalMs <= 0;
  let hasComplained = false;
  let lookedAt = now();
  let cancelNext: () => void = () => undefined;

  const stop = (): void => {
    isStopped = true;
    cancelNext();
    unfollow();
  };

  const check = async (): Promise<void> => {
    lookedAt = now();
    const latest = await fetchLatest(`${LATEST_PATH}?${lookedAt}`, deps.fetch);
    if (latest === 'malformed') {
      if (!hasComplained) log.debug('[build] Received a malformed build manifest');
      hasComplained = true;
      return;
    }
    if (latest === null || isOutdated || !isNewer(latest, build)) return;
    isOutdated = true;
    stop();
    deps.onNewBuild(latest);
  };

  const plan = (): void => {
    if (isStopped) return;
    cancelNext = schedule(() => void check().then(plan), intervalMs);
  };
  const unfollow = whenTrue(deps.focus, () => {
    if (!isStopped && now() - lookedAt >= FOCUS_PAUSE_MS) void check();
  });
  plan();

  return { isOutdated: () => isOutdated, check, stop };
}

/** A server that runs behind in a rolling update may still tell of an older build. */
function isNewer(latest: Build, { id, timestamp }: BuildWatchDeps['build']): boolean {
  return latest.id !== id && (timestamp === undefined || latest.timestamp > timestamp);
}

/** Null when there was no answer; 'malformed' for an answer that is no manifest, such as a page. */
async function fetchLatest(url: string, ask: typeof fetch | undefined): Promise<Build | 'malformed' | null> {
  try {
    return asBuild(await fetchJson(url, { cache: 'no-store', ...(ask === undefined ? {} : { fetch: ask }) }));
  } catch (error) {
    return error instanceof ApiError && error.code === 'malformed_reply' ? 'malformed' : null;
  }
}

function asBuild(answer: unknown): Build | 'malformed' {
  const { id, timestamp } = (answer ?? {}) as Partial<Record<keyof Build, unknown>>;
  return typeof id === 'string' && typeof timestamp === 'number' ? { id, timestamp } : 'malformed';
}
