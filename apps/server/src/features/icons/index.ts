// Icons by name: those that came with the server, and where the operator configured a service, those of the service.
import type { FastifyInstance } from 'fastify';
import { createOutbound, type Outbound } from '#/platform/http/outbound.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import { createLocalIcons } from './local-icons.ts';
import { createRemoteIcons } from './remote-icons.ts';
import { serveIcons } from './serve.ts';

export interface IconsDeps {
  readonly createCounter: CreateCounter;
  /** An https address before `/{collection}.json`; null for what came with the server alone. */
  readonly iconService: string | null;
  /** In place of the Internet, for tests. */
  readonly outbound?: Pick<Outbound, 'get'>;
}

export interface IconsFeature {
  serve(app: FastifyInstance): void;
}

const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 1_500, atOnce: 8, waiting: 8 };

export function iconsFeature({
  createCounter,
  iconService,
  outbound = createOutbound(LIMITS),
}: IconsDeps): IconsFeature {
  const asking = createCounter('icons', { points: 120, duration: 60 });
  const remote = createRemoteIcons({ service: iconService, outbound });
  const local = createLocalIcons();
  return { serve: (app) => serveIcons(app, { local, remote, asking }) };
}
