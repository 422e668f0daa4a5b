// What a facility's directory tells us by SCIM 2.0: who joins, what roles they hold, who leaves. It decides about the members of
// its facility alone, with the rights of whoever made its token, and never about an account.
import * as contract from '@wardline/contract/account/scim.ts';
import type { FastifyInstance } from 'fastify';
import { type Route, route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { ADMITTED, mailAdmitted } from './admitted-mail.ts';
import type { ScimDeps } from './scim-deps.ts';
import { createScimToken, listScimTokens, purgeScimTokens, revokeScimToken } from './scim-tokens.ts';
import { serveScim } from './serve.ts';

export interface ScimFeature {
  readonly routes: Route[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  serve(app: FastifyInstance): void;
  purge(): Promise<void>;
}

export function scimFeature(deps: ScimDeps & { readonly mailer: Mailer; readonly productName: string }): ScimFeature {
  return {
    routes: [
      route(contract.listScimTokens, listScimTokens),
      route(contract.createScimToken, createScimToken(deps)),
      route(contract.revokeScimToken, revokeScimToken),
    ],
    jobHandlers: { [ADMITTED]: mailAdmitted(deps) },
    serve: (app) => serveScim(app, deps),
    purge: () => purgeScimTokens(deps.db),
  };
}
