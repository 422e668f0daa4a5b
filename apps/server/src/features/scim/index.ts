// What a facility's directory tells us by SCIM 2.0: who joins, what roles they hold, who leaves. It decides about the members of
// its facility alone, with the rights of whoever made its token, and never about an account.
import * as contract from '@wardline/contract/scim.ts';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { FacilityPerson } from '#/platform/http/find-permissions.ts';
import type { PersonLimits } from '#/platform/http/person-limits.ts';
import type { Publication, Publish } from '#/platform/http/publish.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { ADMITTED, mailAdmitted } from './admitted-mail.ts';
import { createScimToken, listScimTokens, purgeScimTokens, revokeScimToken } from './scim-tokens.ts';
import { serveScim } from './serve.ts';

/** Who changes members for a directory, under the lock of the facility. */
export interface Holder {
  readonly facilityId: string;
  readonly permissions: readonly string[];
}

export interface ScimDeps {
  readonly db: Database;
  readonly log: RequestContext['log'];
  readonly publish: Publish;
  readonly limits: PersonLimits;
  readonly publicUrl: () => string;
  /** Makes what ended hold at once in this process. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
  readonly nudgeJobs: () => void;
  /** Accounts for who has none; how those that there are sign in is their own. */
  readonly accounts: {
    unusableHash(): Promise<string>;
    /** False where the address has an account. */
    insert(
      tx: Transaction,
      user: { readonly id: string; readonly name: string; readonly email: string; readonly password_hash: string },
    ): Promise<boolean>;
  };
  /** The members, by the rules of changes by hand. */
  readonly directory: {
    hold(tx: Transaction, maker: FacilityPerson): Promise<Holder>;
    admit(tx: Transaction, holder: Holder, userId: string): Promise<Publication[]>;
    remove(tx: Transaction, holder: Holder, userId: string): Promise<Publication[]>;
    setRole(
      tx: Transaction,
      holder: Holder,
      role: { readonly userId: string; readonly roleId: string; readonly isHeld: boolean },
    ): Promise<Publication[]>;
  };
}

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
