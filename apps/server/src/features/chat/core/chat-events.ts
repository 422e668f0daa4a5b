import { chatChannel, type MarkersChanged, type Message, userChannel } from '@wardline/contract/chat.ts';
import type { MembershipChanged } from '@wardline/contract/facilities.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { ChatNews } from './chat-queries.ts';

/** Every event of the feature is made here, key by key, so that no row reaches a channel as it is (A15). */
export function messageSent(message: Message): Publication {
  return publication(chatChannel, message.chat_id, ['MessageSent', { message }]);
}

/** To each person in the chat on their own channel: a list row needs no more. */
export function chatChanged(news: ChatNews): Publication[] {
  const { chat_id, facility_id, head_seq, version, last_message } = news;
  const payload = { chat_id, facility_id, head_seq, version, last_message };
  return news.participant_ids.map((userId) => publication(userChannel, userId, ['ChatChanged', payload]));
}

export function markersChanged(markers: MarkersChanged): Publication[] {
  return [
    publication(chatChannel, markers.chat_id, ['MarkersChanged', markers]),
    publication(userChannel, markers.user_id, ['MarkersChanged', markers]),
  ];
}

export function membershipChanged(userId: string, { facility_id, chat_id, change }: MembershipChanged): Publication {
  return publication(userChannel, userId, ['MembershipChanged', { facility_id, chat_id, change }]);
}
