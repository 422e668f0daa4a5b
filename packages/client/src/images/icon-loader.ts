import { schedule as pageSchedule, type Schedule } from '#/schedule.ts';
import { type IconAnswer, type IconData, readIcon } from './icon-data.ts';
import { iconUrl, queryIcons, splitNames } from './icon-query.ts';

/** Collections and icons have such names and no others; anything else is never sent anywhere. */
const NAME = /^[a-z0-9-]{1,64}$/;

export interface IconLoaderDeps {
  /** Where icon data is asked for, in this order. */
  readonly hosts: readonly string[];
  readonly fetch?: typeof fetch;
  readonly schedule?: Schedule;
}

/** Loads icons that are not in the bundle (ICON-1). */
export interface IconLoader {
  /**
   * The icon of a name such as 'lucide:heart'; null when there is none or nobody answers. Never rejects. An icon that does
   * not exist is asked for once in this page's life; one that nobody answered for may be asked for again.
   */
  load(name: string): Promise<IconData | null>;
  /** What is known now, without asking: undefined for an icon that was never answered for. */
  peek(name: string): IconData | null | undefined;
}

/** Makes a loader. What is asked for in one turn of the page goes out as one query per collection. */
export function createIconLoader(deps: IconLoaderDeps): IconLoader {
  const { hosts, fetch: ask = (input, init) => fetch(input, init), schedule = pageSchedule } = deps;
  const known = new Map<string, IconData | null>();
  const loading = new Map<string, Promise<IconData | null>>();
  const batches = new Map<string, Map<string, (icon: IconData | null) => void>>();

  const learn = (collection: string, names: readonly string[], answer: IconAnswer): void => {
    for (const name of names) {
      const key = `${collection}:${name}`;
      const icon = readIcon(answer, name);
      // A late answer may know what the first did not, never the other way round.
      if (icon !== null || !known.has(key)) known.set(key, icon);
    }
  };

  const send = async (collection: string, names: readonly string[]): Promise<void> => {
    await queryIcons({
      urls: hosts.map((host) => iconUrl(host, collection, names)),
      fetch: ask,
      schedule,
      onAnswer: (answer) => learn(collection, names, answer),
    });
  };

  const flush = (collection: string): void => {
    const batch = batches.get(collection) ?? new Map();
    batches.delete(collection);
    for (const names of splitNames(hosts, collection, [...batch.keys()])) {
      void send(collection, names).then(() => {
        for (const name of names) {
          const key = `${collection}:${name}`;
          loading.delete(key);
          batch.get(name)?.(known.get(key) ?? null);
        }
      });
    }
  };

  const enqueue = (collection: string, name: string): Promise<IconData | null> =>
    new Promise((resolve) => {
      const batch = batches.get(collection) ?? new Map();
      batch.set(name, resolve);
      if (batches.has(collection)) return;
      batches.set(collection, batch);
      schedule(() => flush(collection), 0);
    });

  return {
    peek: (name) => known.get(name),
    load(name) {
      const [collection = '', icon = '', ...more] = name.split(':');
      if (more.length > 0 || !NAME.test(collection) || !NAME.test(icon)) return Promise.resolve(null);
      const found = known.get(name);
      if (found !== undefined) return Promise.resolve(found);
      const promise = loading.get(name) ?? enqueue(collection, icon);
      loading.set(name, promise);
      return promise;
    },
  };
}
