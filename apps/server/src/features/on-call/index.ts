// Who is on call and who is there: the roles of a facility, the shifts of each, taking over and handing over; what people say
// of their own duty, and about when they were last seen.
import type { Database } from '#/platform/db/database.ts';
import type { Route } from '#/platform/http/route.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { ownData } from './own-data.ts';
import { purgePresence } from './presence-queries.ts';
import { routes } from './routes.ts';

export interface OnCallFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  purge(): Promise<void>;
}

export function onCallFeature({ db }: { readonly db: Database }): OnCallFeature {
  return { routes, ownData, purge: () => purgePresence(db) };
}
