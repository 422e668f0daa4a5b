import type { Schedule } from '#/schedule.ts';
import { type IconAnswer, isIconAnswer } from './icon-data.ts';

/** How long a host may take before the next one is asked too. */
const NEXT_HOST_MS = 750;
/** How long is waited for any answer once all hosts were asked. */
const GIVE_UP_MS = 5000;
export const LONGEST_URL = 500;

interface QueryDeps {
  readonly urls: readonly string[];
  readonly fetch: typeof fetch;
  readonly schedule: Schedule;
  /** Told of every good answer, the first and those that come later. */
  readonly onAnswer: (answer: IconAnswer) => void;
}

/**
 * Asks one address after the other: the next at once when one fails, after 750 ms when it is silent. True with the first
 * good answer; false when all failed, or 5000 ms after the last was asked. What comes later is still told.
 */
export function queryIcons({ urls, fetch, schedule, onAnswer }: QueryDeps): Promise<boolean> {
  return new Promise((resolve) => {
    let next = 0;
    let failed = 0;
    let cancelTimer: () => void = () => undefined;

    const finish = (isAnswered: boolean): void => {
      cancelTimer();
      next = urls.length;
      resolve(isAnswered);
    };
    const askNext = (): void => {
      const url = urls[next];
      if (url === undefined) return;
      next += 1;
      cancelTimer();
      cancelTimer = next < urls.length ? schedule(askNext, NEXT_HOST_MS) : schedule(() => finish(false), GIVE_UP_MS);
      ask(fetch, url).then(
        (answer) => {
          onAnswer(answer);
          finish(true);
        },
        () => {
          failed += 1;
          if (failed === urls.length) finish(false);
          else askNext();
        },
      );
    };
    if (urls.length === 0) resolve(false);
    else askNext();
  });
}

/** Any answer but 200 with icon data is a failure, 404 too: a host that lacks a collection says nothing about the next. */
async function ask(fetch: QueryDeps['fetch'], url: string): Promise<IconAnswer> {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`Icons were answered with ${response.status}.`);
  const answer: unknown = await response.json();
  if (!isIconAnswer(answer)) throw new Error('Icons were answered with something else.');
  return answer;
}

/** The names in as few queries as fit: each address, on the longest host too, has at most 500 characters. */
export function splitNames(hosts: readonly string[], collection: string, names: readonly string[]): string[][] {
  const longest = hosts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const parts: string[][] = [];
  for (const name of [...new Set(names)].sort()) {
    const part = parts.at(-1);
    if (part !== undefined && iconUrl(longest, collection, [...part, name]).length <= LONGEST_URL) part.push(name);
    else parts.push([name]);
  }
  return parts;
}

/** `{host}/{collection}.json?icons=a%2Cb`. */
export function iconUrl(host: string, collection: string, names: readonly string[]): string {
  return `${host.replace(/\/$/, '')}/${collection}.json?icons=${encodeURIComponent(names.join(','))}`;
}
