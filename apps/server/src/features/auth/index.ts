// Who is asking: signing up, in and out, sessions and tokens, the account, and what a request or a socket may go by.
// Everything about rights in a facility lives with the feature whose things they are about.
import type { RequestContext } from '#/platform/http/context.ts';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { type ChannelRule, findRule } from '#/platform/realtime/channels/channel-rule.ts';
import { createAccountLimits } from './account/account-limits.ts';
import { purgeExpired } from './account/credential-queries.ts';
import { createLinks } from './account/links.ts';
import { createNewPasswordCheck } from './credentials/new-password.ts';
import { createPasswords, type PasswordCost } from './credentials/passwords.ts';
import { createSignInLimits } from './credentials/sign-in-limits.ts';
import { createJobHandlers } from './job-handlers.ts';
import { createMails } from './mails.ts';
import type { InvitationAccess } from './registration/invitation-access.ts';
import type { AuthParts } from './routes.ts';
import { routes } from './routes.ts';
import { createEndSessions } from './sessions/end-sessions.ts';
import { createIdentify, type Identify, type IdentifyOptions } from './sessions/identify.ts';
import { askRule, channels } from './sockets/authorise-channel.ts';
import type { RealtimeAccess } from './sockets/realtime-access.ts';

export { describeUser } from './account/describe-user.ts';
export { createPasswords, type PasswordCost } from './credentials/passwords.ts';
export type { Identify } from './sessions/identify.ts';
export type { RealtimeAccess } from './sockets/realtime-access.ts';

export interface AuthDeps extends IdentifyOptions {
  readonly db: RequestContext['db'];
  /** The installation's secret, at least 32 bytes: pepper, device keys, links and audited addresses come from it. */
  readonly appKey: Buffer;
  readonly realtime: RealtimeAccess;
  readonly invitations: InvitationAccess;
  readonly mailer: Mailer;
  /** Says that a job was put into the queue. */
  readonly nudgeJobs: () => void;
  /** The origin that mailed links lead to; asked for late, since it may be the one that the server listens on. */
  readonly publicUrl: () => string;
  readonly productName: string;
  /** Whether anybody may ask for an account, or only who was invited. */
  readonly signUp: 'open' | 'invitation';
  /** The rules of all features; asked for late, since features are made one after another. */
  readonly channelRules: () => readonly ChannelRule[];
  /** Cheaper hashing, for tests and demo data only. */
  readonly passwordCost?: PasswordCost;
}

export interface AuthFeature {
  readonly routes: Route[];
  readonly channels: readonly ChannelRule[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  readonly identify: Identify;
  /** For the gateway: may the person of this session be in this channel now? */
  mayJoin(identity: { readonly sessionKey: string }, channelName: string): Promise<boolean>;
  /** Removes what has expired; to be called now and then. */
  purgeExpired(): Promise<void>;
  /** For the gateway: what a newcomer of this channel is told. */
  snapshot(channelName: string): Promise<Record<string, unknown>>;
}

export function authFeature(deps: AuthDeps): AuthFeature {
  const { db, realtime, channelRules } = deps;
  const identify = createIdentify(db, deps);
  const parts = createParts(deps, identify);
  return {
    routes: routes({ ...parts, realtime, channelRules }),
    channels,
    jobHandlers: createJobHandlers({ links: parts.links, mailer: deps.mailer, mails: createMails(deps.productName) }),
    identify,
    async mayJoin({ sessionKey }, channelName) {
      const actor = await identify.byKey(sessionKey);
      return actor !== null && (await askRule(channelRules(), channelName, { actor, db })) !== null;
    },
    purgeExpired: () => purgeExpired(db),
    async snapshot(channelName) {
      const found = findRule(channelRules(), channelName);
      return (await found?.rule.snapshot?.(found.id, db)) ?? {};
    },
  };
}

function createParts(deps: AuthDeps, identify: Identify): AuthParts {
  const { appKey, invitations, nudgeJobs, productName, publicUrl, realtime, signUp } = deps;
  return {
    appKey,
    check: { appKey, limits: createSignInLimits(), passwords: createPasswords(appKey, deps.passwordCost) },
    checkNewPassword: createNewPasswordCheck(productName),
    endSessions: createEndSessions(identify, realtime),
    identityChanged(userId) {
      identify.forget({ userId });
      return realtime.recheck({ userId });
    },
    invitations,
    limits: createAccountLimits(),
    links: createLinks(appKey, publicUrl),
    nudgeJobs,
    signUp,
  };
}
