import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { getIcons } from '@iconify/utils/lib/icon-set/get-icons';
import type { IconSet } from './icon-set.ts';

type Collection = Parameters<typeof getIcons>[0];

const require = createRequire(import.meta.url);

/** The collections that come with the server. */
const FILES: ReadonlyMap<string, string> = new Map([['lucide', require.resolve('@iconify-json/lucide/icons.json')]]);

/** Gives icons of a collection that came with the server; null for any other collection. */
export type LocalIcons = (collection: string, names: readonly string[]) => Promise<IconSet | null>;

/** Reads a collection when it is asked for the first time, and keeps it. */
export function createLocalIcons(): LocalIcons {
  const read = new Map<string, Promise<Collection>>();

  async function readOnce(file: string): Promise<Collection> {
    const known = read.get(file);
    if (known) return known;
    const reading = readCollection(file);
    read.set(file, reading);
    reading.catch(() => read.delete(file));
    return reading;
  }

  return async (collection, names) => {
    const file = FILES.get(collection);
    if (file === undefined) return null;
    // With `true` what is not found is named, and there always is an answer.
    const { lastModified: _told, ...set } = getIcons(await readOnce(file), [...names], true) ?? {
      prefix: collection,
      icons: {},
    };
    return set as IconSet;
  };
}

/** Names come from requests: `constructor` must not be found where only icons are. */
async function readCollection(file: string): Promise<Collection> {
  const set = JSON.parse(await readFile(file, 'utf8')) as Collection;
  return {
    ...set,
    icons: Object.assign(Object.create(null), set.icons),
    aliases: Object.assign(Object.create(null), set.aliases),
  };
}
