import type { FastifyInstance } from 'fastify';
import { AppError } from '#/platform/http/app-error.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { type IconRequest, readIconRequest } from './icon-request.ts';
import type { Icon, IconSet } from './icon-set.ts';
import type { LocalIcons } from './local-icons.ts';
import type { RemoteIcons } from './remote-icons.ts';

export interface ServeDeps {
  readonly local: LocalIcons;
  readonly remote: RemoteIcons;
  /** Counts requests per address. */
  readonly asking: Counter;
}

const FOR_A_WEEK = 'public, max-age=604800, stale-while-revalidate=604800';
/** Something was not found and nobody said that it does not exist; soon there may be a service that knows. */
const FOR_A_MINUTE = 'public, max-age=60';

/** Drawings of icons by name, for everybody: at the address that the first client used. */
export function serveIcons(app: FastifyInstance, { local, remote, asking }: ServeDeps): void {
  app.get('/icons/_nuxt_icon/:file', async (request, reply) => {
    const asked = readIconRequest(request.raw.url ?? '');
    await asking.take(placeOf(request.ip));
    const { set, isWhole } = await find(asked, { local, remote });
    return reply.header('cache-control', isWhole ? FOR_A_WEEK : FOR_A_MINUTE).send(set);
  });
}

/** What came with the server is not asked for elsewhere. */
async function find({ collection, names }: IconRequest, { local, remote }: Omit<ServeDeps, 'asking'>) {
  const own = await local(collection, names);
  const missing = own === null ? names : (own.not_found ?? []);
  const answered = await remote(collection, missing);
  // A collection that nobody knows: the client may ask the next host.
  if (own === null && answered.size === 0) throw new AppError('not_found');
  const isWhole = missing.every((name) => answered.has(name));
  return { set: merge(collection, own, { missing, answered }), isWhole };
}

interface Answered {
  readonly missing: readonly string[];
  readonly answered: ReadonlyMap<string, { readonly icon: Icon | null }>;
}

function merge(collection: string, own: IconSet | null, { missing, answered }: Answered): IconSet {
  const found: [string, Icon][] = [];
  for (const [name, { icon }] of answered) if (icon) found.push([name, icon]);
  const { not_found: _missing, ...set } = own ?? { prefix: collection, icons: {}, width: 24, height: 24 };
  const notFound = missing.filter((name) => !answered.get(name)?.icon);
  const icons = { ...set.icons, ...Object.fromEntries(found) };
  return { ...set, icons, ...(notFound.length > 0 && { not_found: notFound }) };
}
