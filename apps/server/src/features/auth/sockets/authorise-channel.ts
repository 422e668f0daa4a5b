import type { ChannelKind } from '@wardline/contract/channel.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { authorizeChannel as endpoint } from '@wardline/contract/realtime.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { type Actor, closedFacilities } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { mayJoinByToken } from '#/platform/http/authorization/token-abilities.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { workAs } from '#/platform/http/work-as.ts';
import type { ChannelRule, ChannelRules, Joined } from '#/platform/realtime/channels/channel-rule.ts';
import type { Admission } from '#/platform/realtime/channels/options.ts';
import { needsAuth, parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import { bindSocket, type RealtimeAccess } from './realtime-access.ts';

/** One's own news are for oneself only. */
export const channels: readonly ChannelRule[] = [
  {
    channel: userChannel,
    join: async (actor, id) => (actor.userId === id ? { without: closedFacilities(actor) } : null),
  },
];

export interface AuthorizeChannelDeps {
  readonly channelRules: Pick<ChannelRules, 'find'>;
  readonly realtime: RealtimeAccess;
}

/** Signs a socket of this session in to a channel, after the rule of the channel's feature has said yes. */
export function authorizeChannel({ channelRules, realtime }: AuthorizeChannelDeps) {
  return async (
    { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { socket_id: socketId, channel_name: channel } = body;
    const joined = await askRule(channelRules, channel, { actor, db });
    if (joined === null) throw new AppError('forbidden');
    await bindSocket(realtime, socketId, actor);
    if (joined.kind === 'private-encrypted') {
      const secret = realtime.channelSecret(channel).toString('base64');
      return { auth: realtime.signChannel(socketId, channel), shared_secret: secret };
    }
    if (joined.kind === 'private') return { auth: realtime.signChannel(socketId, channel) };
    const channelData = JSON.stringify({ user_id: actor.userId, user_info: joined.info ?? {} });
    return { auth: realtime.signChannel(socketId, channel, channelData), channel_data: channelData };
  };
}

/** What the rule of a channel says to this person; null where it refuses, or where no such channel asks for leave. */
async function askRule(
  rules: Pick<ChannelRules, 'find'>,
  channel: string,
  { actor, db }: { readonly actor: Actor; readonly db: RequestContext['db'] },
): Promise<(Joined & { readonly kind: ChannelKind }) | null> {
  const name = parseChannelName(channel);
  const found = name && needsAuth(name.kind) ? rules.find(name.name) : null;
  if (!found || !mayJoinByToken(found.rule.channel, actor)) return null;
  const joined = await found.rule.join(actor, found.id, db);
  return joined && { ...joined, kind: found.rule.channel.kind };
}

/** What the gateway asks by itself, for a socket that is bound to a session. */
export interface ChannelAccess {
  /** May the person of this session be in this channel now? */
  mayJoin(identity: { readonly sessionKey: string }, channelName: string): Promise<boolean | Admission>;
  /** Is there such a public channel? */
  isPublic(channelName: string): boolean;
  /** What a newcomer of this channel is told. */
  snapshot(channelName: string): Promise<Record<string, unknown>>;
}

interface ChannelAccessDeps {
  readonly db: RequestContext['db'];
  readonly identify: { byKey(key: string): Promise<Actor | null> };
  readonly channelRules: Pick<ChannelRules, 'find'>;
}

export function createChannelAccess({ db, identify, channelRules }: ChannelAccessDeps): ChannelAccess {
  return {
    async mayJoin({ sessionKey }, channelName) {
      const actor = await identify.byKey(sessionKey);
      const joined = actor && (await workAs(actor, () => askRule(channelRules, channelName, { actor, db })));
      return joined !== null && { without: new Set(joined.without) };
    },
    isPublic: (channelName) => channelRules.find(channelName)?.rule.channel.kind === 'public',
    async snapshot(channelName) {
      const found = channelRules.find(channelName);
      return (await asSystem('socket', async () => found?.rule.snapshot?.(found.id, db))) ?? {};
    },
  };
}
