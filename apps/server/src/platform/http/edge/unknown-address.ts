import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#/platform/http/app-error.ts';

export type RefuseUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Answers what no route takes: 405 with the methods that its address does take, else 404. To be made before the routes,
 * which it listens to being added.
 */
export function createRefuseUnknown(
  app: FastifyInstance,
  renewCookies: (exchange: Exchange) => Promise<void>,
): RefuseUnknown {
  const methodsAt = listenToRoutes(app);
  return async (request, reply) => {
    const allowed = methodsAt(request.url.split('?')[0] ?? '/');
    await renewCookies({ request, reply });
    if (allowed.length === 0) return reply.code(404).send(new AppError('not_found').body());
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return reply.code(200).send();
    const message = `The ${request.method} method is not supported for this address. Supported methods: ${allowed.join(', ')}.`;
    return reply.code(405).send(new AppError('method_not_allowed', { message }).body());
  };
}

function listenToRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ method, url }) => {
    const known = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) known.methods.add(one);
    routes.set(url, known);
  });
  return (path) => {
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))];
  };
}

/** Of a route's address: `:name` stands for one step of the path, `*` for the rest of it. */
function patternOf(url: string): RegExp {
  const steps = url.split(/(:\w+|\*)/).map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[^\w/-]/g, '\\$&');
  });
  return new RegExp(`^${steps.join('')}$`);
}
