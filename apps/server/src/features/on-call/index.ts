// Who is on call: the roles of a facility, the shifts of each, taking over and handing over.
import type { Route } from '#/platform/http/route.ts';
import { routes } from './routes.ts';

export interface OnCallFeature {
  readonly routes: readonly Route[];
}

export function onCallFeature(): OnCallFeature {
  return { routes };
}
