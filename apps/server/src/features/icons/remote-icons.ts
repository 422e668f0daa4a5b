import * as z from 'zod/mini';
import type { Outbound } from '#/platform/http/outbound.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import { Alias, Icon } from './icon-set.ts';

/** What the icon service said of a name; null when it has none. */
export interface FoundIcon {
  readonly icon: Icon | null;
}

/** Asks the configured service. Names that it did not answer for are not in the map. */
export type RemoteIcons = (collection: string, names: readonly string[]) => Promise<ReadonlyMap<string, FoundIcon>>;

export interface RemoteIconsDeps {
  /** An https address before `/{collection}.json`; null for none. */
  readonly service: string | null;
  readonly outbound: Pick<Outbound, 'get'>;
  readonly now?: () => number;
}

const WEEK_MS = 7 * 24 * 60 * 60_000;
const CACHED_ICONS = 5_000;

const Answer = z.object({
  prefix: z.string(),
  icons: z.record(z.string(), z.unknown()),
  aliases: z.optional(z.record(z.string(), z.unknown())),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});
type Answer = z.infer<typeof Answer>;

/** Icons of one service, each asked for once a week. Whatever it says that is not a safe drawing counts as not found. */
export function createRemoteIcons({ service, outbound, now = () => performance.now() }: RemoteIconsDeps): RemoteIcons {
  const cache = new RecentlyUsed<string, FoundIcon & { readonly until: number }>(CACHED_ICONS);

  async function ask(collection: string, names: readonly string[]): Promise<Map<string, FoundIcon>> {
    const answer = await fetchIcons(`${service}/${collection}.json?icons=${names.join('%2C')}`, outbound);
    if (answer === null || answer.prefix !== collection) return new Map();
    const found = new Map(names.map((name) => [name, { icon: iconOf(answer, name) }]));
    for (const [name, { icon }] of found) cache.set(`${collection}:${name}`, { icon, until: now() + WEEK_MS });
    return found;
  }

  return async (collection, names) => {
    if (service === null || names.length === 0) return new Map();
    const known = new Map<string, FoundIcon>();
    for (const name of names) {
      const entry = cache.get(`${collection}:${name}`);
      if (entry && now() < entry.until) known.set(name, entry);
    }
    const asked = names.filter((name) => !known.has(name));
    if (asked.length === 0) return known;
    return new Map([...known, ...(await ask(collection, asked))]);
  };
}

/** Null for every way in which there is no answer: an icon is not worth an error. */
async function fetchIcons(url: string, outbound: Pick<Outbound, 'get'>): Promise<Answer | null> {
  try {
    const { status, body } = await outbound.get(new URL(url));
    return status === 200 ? Answer.parse(JSON.parse(body.toString('utf8'))) : null;
  } catch {
    return null;
  }
}

/** An icon by its own name or, one step on, by that of the icon it stands for; in the size that the set states. */
function iconOf(answer: Answer, name: string): Icon | null {
  const { icons, aliases = {}, width, height } = answer;
  const alias = Alias.safeParse(own(aliases, name));
  const icon = Icon.safeParse(own(icons, alias.success ? alias.data.parent : name));
  if (!icon.success) return null;
  const { parent: _parent, ...turns } = alias.success ? alias.data : { parent: name };
  return Icon.safeParse({ ...(width && { width }), ...(height && { height }), ...icon.data, ...turns }).data ?? null;
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
