import { endpoints } from '@wardline/contract/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { type Binding, bindRoutes } from '#/platform/http/bind-routes.ts';
import { acceptFiles, acceptForms } from '#/platform/http/read-file.ts';
import type { Route } from '#/platform/http/route.ts';

/** Binds every endpoint of the contract: most take JSON, those of the realtime clients forms too, and few a file. */
export async function bindEndpoints(app: FastifyInstance, routes: readonly Route[], binding: Binding): Promise<void> {
  assertComplete(routes);
  const isBroadcasting = (route: Route) => route.endpoint.path.startsWith('/broadcasting/');
  const takesFile = ({ endpoint }: Route) => endpoint.file !== undefined;
  const takesJson = (route: Route) => !isBroadcasting(route) && !takesFile(route);
  bindRoutes(app, routes.filter(takesJson), binding);
  await app.register(async (scope) => {
    acceptForms(scope);
    bindRoutes(scope, routes.filter(isBroadcasting), binding);
  });
  await app.register(async (scope) => {
    await acceptFiles(scope);
    bindRoutes(scope, routes.filter(takesFile), binding);
  });
}

/** The contract and the server say the same, or there is no server. */
function assertComplete(routes: readonly Route[]): void {
  const bound = new Set(routes.map((route) => route.endpoint.name));
  const missing = endpoints.filter((endpoint) => !bound.has(endpoint.name)).map((endpoint) => endpoint.name);
  if (missing.length > 0 || bound.size !== endpoints.length) {
    throw new Error(`Endpoints without a verb, or bound twice: ${missing.join(', ')}`);
  }
}
