// Who is asking: signing up, in and out, sessions and tokens, the account, and what a request or a socket may go by.
// Everything about rights in a facility lives with the feature whose things they are about.
import type { OidcProvider } from '#/platform/config/oidc-settings.ts';
import { relyingPartyOf } from '#/platform/config/relying-party.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CreateCounter, ShareNumbers } from '#/platform/http/rate-limit.ts';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { ChannelRule, ChannelRules } from '#/platform/realtime/channels/channel-rule.ts';
import { createAccountLimits } from './account/account-limits.ts';
import { insertUser } from './account/credential-queries.ts';
import { createLinks } from './account/links.ts';
import { ownData } from './account/own-data.ts';
import { createKnownDevices } from './credentials/known-device.ts';
import { createNewPasswordCheck } from './credentials/new-password.ts';
import { createPasswords, hashByLot, type PasswordCost } from './credentials/passwords.ts';
import { createSignInLimits } from './credentials/sign-in-limits.ts';
import type { AccountEnding } from './deletion/account-ending.ts';
import { createJobHandlers } from './job-handlers.ts';
import { createMails } from './mails.ts';
import { purgeExpired } from './purge-expired.ts';
import type { InvitationAccess } from './registration/invitation-access.ts';
import { type AuthDeps, routes } from './routes.ts';
import { createRecoveryCodes } from './second-factor/recovery-codes.ts';
import { createTotp } from './second-factor/totp.ts';
import { createEndSessions } from './sessions/end-sessions.ts';
import type { Identify } from './sessions/identify.ts';
import type { FacilityAccess } from './set-up/facility-access.ts';
import { createSecrets } from './single-sign-on/attempt-queries.ts';
import { createProviders } from './single-sign-on/providers.ts';
import { channels } from './sockets/authorise-channel.ts';
import type { RealtimeAccess } from './sockets/realtime-access.ts';

export { describeUser } from './account/describe-user.ts';
export { createLinks } from './account/links.ts';
export {
  type HandedResetLink,
  makeOperator,
  makeResetLink,
  type NewOperator,
} from './administration/operator-commands.ts';
export { createKnownDevices } from './credentials/known-device.ts';
export { createPasswords, type PasswordCost } from './credentials/passwords.ts';
export { createTotp } from './second-factor/totp.ts';
export { createIdentify, type Identify } from './sessions/identify.ts';
export { type FactorReset, resetSecondFactors } from './sessions/reset-factors.ts';
export { OWN_DEVICE_S, SHARED_DEVICE_S, TOKEN_LIFETIME_S } from './sessions/start-session.ts';
export { makeSetUpLink } from './set-up/set-up-link.ts';
export { discoverProvider } from './single-sign-on/providers.ts';
export { createChannelAccess } from './sockets/authorise-channel.ts';
export type { RealtimeAccess } from './sockets/realtime-access.ts';
export { createRelayLive } from './sockets/relay-live.ts';

export interface AuthFeatureDeps {
  readonly db: RequestContext['db'];
  readonly createCounter: CreateCounter;
  readonly shareNumbers: ShareNumbers;
  readonly identify: Identify;
  /** The installation's secret, at least 32 bytes: pepper, device keys, links and audited addresses come from it. */
  readonly appKey: Buffer;
  readonly realtime: RealtimeAccess;
  readonly invitations: InvitationAccess;
  readonly facilities: FacilityAccess;
  readonly ending: AccountEnding;
  /** The installation has its first administrator. Says where they go on, if not at the address they are at. */
  readonly onSetUp: () => string | null;
  readonly mailer: Mailer;
  /** The origin that mailed links lead to; asked for late, since it may be the one that the server listens on. */
  readonly publicUrl: () => string;
  readonly productName: string;
  /** Where people may sign in besides here. */
  readonly oidc: readonly OidcProvider[];
  /** Whether anybody may ask for an account, or only who was invited. */
  readonly signUp: 'open' | 'invitation';
  readonly channelRules: Pick<ChannelRules, 'find'>;
  /** Cheaper hashing, for tests and demo data only. */
  readonly passwordCost?: PasswordCost;
}

export interface AuthFeature {
  readonly routes: Route[];
  readonly ownData: readonly OwnDataList[];
  readonly channels: readonly ChannelRule[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** For SCIM: accounts for who has none. */
  readonly accounts: {
    /** The hash of a password that nobody knows, the same for all, since a directory makes many at once. */
    unusableHash(): Promise<string>;
    readonly insert: typeof insertUser;
  };
  /** Removes what has expired; to be called now and then. */
  purge(): Promise<void>;
}

export function authFeature(deps: AuthFeatureDeps): AuthFeature {
  const { db, realtime, channelRules } = deps;
  const parts = createDeps(deps);
  let unusable: Promise<string> | undefined;
  return {
    routes: routes({ ...parts, realtime, channelRules }),
    channels,
    ownData,
    jobHandlers: createJobHandlers({
      links: parts.links,
      mailer: deps.mailer,
      mails: createMails(deps.productName),
      signedOut(userId) {
        deps.identify.forget({ userId });
        realtime.endUser(userId);
      },
    }),
    accounts: {
      unusableHash() {
        unusable ??= hashByLot(parts.check.passwords);
        return unusable;
      },
      insert: insertUser,
    },
    purge: () => purgeExpired(db),
  };
}

function createDeps(deps: AuthFeatureDeps): AuthDeps {
  const { appKey, identify, facilities, invitations, onSetUp, productName, publicUrl, realtime, signUp } = deps;
  const counting = { createCounter: deps.createCounter, share: deps.shareNumbers };
  const devices = createKnownDevices(appKey);
  const totp = createTotp({ appKey, productName });
  const recoveryCodes = createRecoveryCodes(appKey);
  return {
    appKey,
    check: {
      appKey,
      limits: createSignInLimits(counting),
      devices,
      passwords: createPasswords(appKey, deps.passwordCost),
    },
    checkNewPassword: createNewPasswordCheck(productName),
    endSessions: createEndSessions(identify, realtime),
    identityChanged(userId) {
      identify.forget({ userId });
      return realtime.recheck({ userId });
    },
    ending: deps.ending,
    facilities,
    invitations,
    limits: createAccountLimits(deps.createCounter),
    links: createLinks(appKey, publicUrl),
    onSetUp,
    productName,
    providers: createProviders(deps.oidc, publicUrl),
    recoveryCodes,
    relyingParty: () => relyingPartyOf(publicUrl()),
    secondStep: {
      devices,
      totp,
      recoveryCodes,
      stepLimits: createSignInLimits({ ...counting, name: 'second step' }),
    },
    secretsOf: createSecrets(appKey),
    signUp,
    totp,
  };
}
