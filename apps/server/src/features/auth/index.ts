// Who is asking: signing in and out, sessions and tokens, and what a request or a socket may go by.
// Everything about rights in a facility lives with the feature whose things they are about.
import type { RequestContext } from '#/platform/context.ts';
import type { Route } from '#/platform/http/route.ts';
import { type ChannelRule, findRule } from '#/platform/realtime/channel-rule.ts';
import { askRule } from './authorise-channel.ts';
import { channels } from './channels.ts';
import { createEndSessions } from './end-sessions.ts';
import { createIdentify, type Identify, type IdentifyOptions } from './identify.ts';
import { createPasswords, type PasswordCost } from './passwords.ts';
import { purgeExpired } from './queries.ts';
import { createSignInLimits } from './rate-limits.ts';
import type { RealtimeAccess } from './realtime-access.ts';
import { routes } from './routes.ts';

export type { Identify } from './identify.ts';
export { createPasswords, type PasswordCost } from './passwords.ts';
export type { RealtimeAccess } from './realtime-access.ts';

export interface AuthDeps extends IdentifyOptions {
  readonly db: RequestContext['db'];
  /** The installation's secret, at least 32 bytes: pepper, device keys and audited addresses come from it. */
  readonly appKey: Buffer;
  readonly realtime: RealtimeAccess;
  /** The rules of all features; asked for late, since features are made one after another. */
  readonly channelRules: () => readonly ChannelRule[];
  /** Cheaper hashing, for tests and demo data only. */
  readonly passwordCost?: PasswordCost;
}

export interface AuthFeature {
  readonly routes: Route[];
  readonly channels: readonly ChannelRule[];
  readonly identify: Identify;
  /** For the gateway: may the person of this session be in this channel now? */
  mayJoin(identity: { readonly sessionKey: string }, channelName: string): Promise<boolean>;
  /** Removes sessions and tokens that have expired; to be called now and then. */
  purgeExpired(): Promise<void>;
  /** For the gateway: what a newcomer of this channel is told. */
  snapshot(channelName: string): Promise<Record<string, unknown>>;
}

export function authFeature(deps: AuthDeps): AuthFeature {
  const { db, appKey, realtime, channelRules } = deps;
  const identify = createIdentify(db, deps);
  const check = { appKey, limits: createSignInLimits(), passwords: createPasswords(appKey, deps.passwordCost) };
  return {
    routes: routes({ appKey, check, realtime, channelRules, endSessions: createEndSessions(identify, realtime) }),
    channels,
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
