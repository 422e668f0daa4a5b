import { channelName } from '@wardline/contract/channel.ts';
import { LIVE_MESSAGE_BYTES, type LiveMessage, readLiveMessage, readLivePath } from '@wardline/contract/live.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { mayBeLive } from '#/platform/http/authorization/token-abilities.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { workAs } from '#/platform/http/work-as.ts';
import type { ChannelRules } from '#/platform/realtime/channels/channel-rule.ts';
import type { LiveRelay } from '#/platform/realtime/channels/options.ts';

interface RelayDeps {
  readonly db: RequestContext['db'];
  readonly identify: { byKey(key: string): Promise<Actor | null> };
  readonly channelRules: Pick<ChannelRules, 'find' | 'findLive'>;
}

/**
 * What of a device's message about what is live goes on: what fits its kind and its sender may say there now, under their own name.
 * It is stored nowhere and named in no log.
 */
export function createRelayLive({ db, identify, channelRules }: RelayDeps) {
  return async (
    { sessionKey }: { readonly sessionKey: string },
    name: string,
    text: string,
  ): Promise<LiveRelay | null> => {
    const found = channelRules.find(name);
    const message = Buffer.byteLength(text) > LIVE_MESSAGE_BYTES ? null : readLiveMessage(parse(text));
    if (!found?.rule.live || message === null) return null;
    const actor = await identify.byKey(sessionKey);
    if (actor === null) return null;
    const entries = await workAs(actor, () =>
      allowedEntries({ db, channelRules }, { actor, chatId: found.id, message }),
    );
    const { device, n, asks } = message;
    const { userId, name: ownName } = actor;
    const data: LiveMessage = { device, n, entries, ...(asks && { asks }), by: { name: ownName } };
    return { channels: found.rule.live.map((channel) => channelName(channel, found.id)), userId, data };
  };
}

async function allowedEntries(
  { db, channelRules }: Pick<RelayDeps, 'db' | 'channelRules'>,
  { actor, chatId, message }: { readonly actor: Actor; readonly chatId: string; readonly message: LiveMessage },
): Promise<LiveMessage['entries']> {
  if (!mayBeLive(actor)) return [];
  const allowed: LiveMessage['entries'] = [];
  for (const entry of message.entries) {
    const path = readLivePath(entry.path);
    const rule = path && channelRules.findLive(path.kind);
    if (!rule || !(await isTrue(rule.may(actor, { chatId, params: path.params }, db)))) continue;
    allowed.push(entry);
  }
  return allowed;
}

/** What is not there for somebody is refused like what they may not. */
async function isTrue(question: Promise<boolean>): Promise<boolean> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
