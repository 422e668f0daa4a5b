import { userChannel } from '@wardline/contract/chat.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';

/** One's own news are for oneself only. */
export const channels: readonly ChannelRule[] = [
  { channel: userChannel, join: async (actor, id) => (actor.userId === id ? {} : null) },
];
