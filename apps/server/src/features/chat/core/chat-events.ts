import {
  chatChannel,
  type MarkersChanged,
  type Message,
  privateChatChannel,
  userChannel,
} from '@wardline/contract/chat/chat.ts';
import type { MembershipChanged } from '@wardline/contract/facilities/facilities.ts';
import type * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { type ChatChange, findChatRecord, loadChatChange } from './chat-queries.ts';
import { readChat } from './policy.ts';

/** Who reads the chat may hear it. The answer to a subscription says how far the chat is, to catch up to. */
const chatChannelRule: Omit<ChannelRule, 'channel' | 'live'> = {
  async join(actor, id, db) {
    const chat = await findChatRecord(db, actor.userId, id);
    if (chat === null || !can(actor, readChat, chat)) return null;
    return { info: presenceInfo(actor, chat.facilityId) };
  },
  async snapshot(id, db) {
    return findHeads(db, id);
  },
};

const openChatChannels = [chatChannel, privateChatChannel];

export const chatChannelRules: readonly ChannelRule[] = openChatChannels.map((channel) => ({
  channel,
  live: openChatChannels,
  ...chatChannelRule,
}));

function presenceInfo(actor: Actor, facilityId: string) {
  return { name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
}

/** Every event of the feature is made here, key by key, so that no row reaches a channel as it is (A15). */
export function messageSent(message: Message): Publication[] {
  return toOpenChat(message.chat_id, ['MessageSent', { message }]);
}

/** An examination of the chat, or an alert about it, stands otherwise: ids alone, who shows it asks again. */
export function examinationChanged(changed: { id: string; chatId: string; version: number }): Publication[] {
  const { id: examination_id, chatId: chat_id, version } = changed;
  return toOpenChat(chat_id, ['ExaminationChanged', { chat_id, examination_id, version }]);
}

/** To each person in the chat on their own channel: a list row needs no more. */
export function chatChanged(changes: ChatChange): Publication[] {
  const payload = toChatChanged(changes);
  const facilityId = changes.facility_id;
  return changes.participant_ids.map((userId) => ({
    ...publication(userChannel, userId, ['ChatChanged', payload]),
    facilityId,
  }));
}

function toChatChanged(changes: ChatChange) {
  const {
    chat_id,
    facility_id,
    head_seq,
    head_change_seq,
    version,
    last_message,
    sender_ids = [],
    mentioned,
    pin_count,
    urgent_count,
  } = changes;
  const changed = head_change_seq === undefined ? {} : { head_change_seq };
  // Of a single message the last one says who wrote it.
  const senders = sender_ids.length > 1 ? { sender_ids: [...sender_ids] } : {};
  const called = mentioned?.length ? { mentioned: mentioned === 'all' ? mentioned : [...mentioned] } : {};
  const counts = {
    ...(pin_count === undefined ? {} : { pin_count }),
    ...(urgent_count === undefined ? {} : { urgent_count }),
  };
  return { chat_id, facility_id, head_seq, ...changed, version, ...counts, last_message, ...senders, ...called };
}

/** So many reactions go out with each of them; past it devices are told that there is a change, and ask for it together. */
const MOST_REACTIONS_TOLD = 50;

type MessageChange =
  | 'MessageEdited'
  | 'MessageDeleted'
  | 'MessagePinned'
  | 'ReactionsChanged'
  | 'UrgentMessageChanged'
  | 'CitationsChanged';

/**
 * A message is not as it was: how it is now, to all who have the chat open. Where somebody is in the chat who sees only what was said
 * later, it is told that there is a change, and each asks for what they may read.
 */
export async function messageChanged(
  tx: DatabaseTransaction,
  change: MessageChange,
  message: Message,
): Promise<Publication[]> {
  const isLong = (message.reactions?.length ?? 0) > MOST_REACTIONS_TOLD;
  if (isLong || (await isHiddenFromSome(tx, message)))
    return messagesChanged(await loadChatChange(tx, message.chat_id));
  return toOpenChat(message.chat_id, [change, { message }]);
}

async function isHiddenFromSome(tx: DatabaseTransaction, { chat_id, seq }: Message): Promise<boolean> {
  const later = tx
    .selectFrom('chat_participants')
    .select('user_id')
    .where('chat_id', '=', chat_id)
    .where('left_at', 'is', null)
    .where('joined_seq', '>=', seq);
  return (await later.limit(1).executeTakeFirst()) !== undefined;
}

/** That messages changed, and not how: who has the chat open asks for it. */
export function messagesChanged(changes: ChatChange): Publication[] {
  return toOpenChat(changes.chat_id, ['ChatChanged', toChatChanged(changes)]);
}

export function markersChanged(markers: MarkersChanged): Publication[] {
  return [
    ...toOpenChat(markers.chat_id, ['MarkersChanged', markers]),
    publication(userChannel, markers.user_id, ['MarkersChanged', markers]),
  ];
}

/** To the devices of one whom a message has ceased to mention. */
export function mentionDropped(facilityId: string, markers: MarkersChanged): Publication {
  return { ...publication(userChannel, markers.user_id, ['MarkersChanged', markers]), facilityId };
}

/** To one's own devices, which ask for the text; not to a session to which the facility is closed. */
export function draftChanged(
  userId: string,
  facilityId: string,
  { chat_id, version }: z.output<(typeof userChannel.events)['DraftChanged']>,
): Publication {
  return { ...publication(userChannel, userId, ['DraftChanged', { chat_id, version }]), facilityId };
}

export function membershipChanged(userId: string, { facility_id, chat_id, change }: MembershipChanged): Publication {
  return publication(userChannel, userId, ['MembershipChanged', { facility_id, chat_id, change }]);
}

/** To all who have the chat open: in the presence channel, or past its limit of members in the private one. */
function toOpenChat<Name extends keyof typeof chatChannel.events>(
  chatId: string,
  event: [name: Name, payload: z.output<(typeof chatChannel.events)[Name]>],
): Publication[] {
  return openChatChannels.map((channel) => publication(channel, chatId, event));
}

async function findHeads(db: Database, chatId: string) {
  const found = db.selectFrom('chats').select(['head_seq', 'head_change_seq']).where('id', '=', chatId);
  return (await found.executeTakeFirst()) ?? { head_seq: 0, head_change_seq: 0 };
}
