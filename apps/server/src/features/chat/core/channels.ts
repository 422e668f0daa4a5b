import { chatChannel } from '@wardline/contract/chat.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorize.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { findChatRecord, findHeadSeq } from './chat-queries.ts';
import { readChat } from './policy.ts';

/** Who reads the chat may hear it. The answer to a subscription says how far the chat is, to catch up to. */
export const chatChannelRule: ChannelRule = {
  channel: chatChannel,
  async join(actor, id, db) {
    const chat = await findChatRecord(db, actor.userId, id);
    if (chat === null || !can(actor, readChat, chat)) return null;
    return { info: presenceInfo(actor, chat.facilityId) };
  },
  async snapshot(id, db) {
    return { head_seq: await findHeadSeq(db, id) };
  },
};

function presenceInfo(actor: Actor, facilityId: string) {
  return { name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
}
