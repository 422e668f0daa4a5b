import type { Chat, Markers, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { MessagePage, PagePlace } from '#/features/chat/engine/catch-up.ts';
import type { SyncPage } from '#/features/chat/engine/chat-list/chat-list-reducer.ts';
import { CHAT, changedAfter, FACILITY, idOf, ME, OTHER } from './fake-chat-server.ts';

const CREATED_AT = '2026-01-01T08:00:00.000Z';
const NAMES: Readonly<Record<string, string>> = { [ME]: 'Nuru', [OTHER]: 'Imre' };
const UNREAD_COUNTED_TO = 100;

/** A server as the contract promises it: seqs without a hole, a repeat of a client id answered with what is stored. */
export interface ModelChatServer {
  readonly messages: readonly Message[];
  head(): number;
  changeHead(): number;
  my(): Markers;
  store(sender: string, clientId: string, body: string): { readonly message: Message; readonly isNew: boolean };
  raise(markers: Markers): Markers;
  /** Gives a message one person's reaction or takes it back; the message as it stands. */
  react(userId: string, messageId: string, isSet: boolean): Message;
  unread(): number;
  chat(): Chat;
  participants(): readonly Participant[];
  page(place: PagePlace): MessagePage;
  sync(cursor: string | null): SyncPage;
}

/** Faults planted in the server, to prove that the properties would notice them. */
export interface ServerFaults {
  readonly forgetsClientIds?: boolean;
}

export function createModelChatServer({ forgetsClientIds = false }: ServerFaults = {}): ModelChatServer {
  const messages: Message[] = [];
  const byClientId = new Map<string, Message>();
  let my: Markers = { delivered_seq: 0, read_seq: 0 };
  let changes = 1;
  let changeHead = 0;

  const unread = (): number => {
    let count = 0;
    for (let index = my.read_seq; index < messages.length; index += 1)
      if (messages[index]?.sender.id !== ME) count += 1;
    return Math.min(count, UNREAD_COUNTED_TO);
  };
  const chat = (): Chat => {
    const last = messages.at(-1);
    return {
      ...{ id: CHAT, facility_id: FACILITY, kind: 'group', title: 'Ward 3A', patient: null, state: 'open' },
      ...{
        head_seq: messages.length,
        head_change_seq: changeHead,
        version: 1,
        participant_count: 2,
        created_at: CREATED_AT,
      },
      last_message: last === undefined ? null : excerptOf(last),
      my: { access: 'write', ...my, unread: unread() },
      updated_at: last?.created_at ?? CREATED_AT,
    };
  };
  return {
    messages,
    head: () => messages.length,
    changeHead: () => changeHead,
    my: () => my,
    store(sender, clientId, body) {
      const stored = byClientId.get(clientId);
      if (stored !== undefined && !forgetsClientIds) return { message: stored, isNew: false };
      const message = messageOf(messages.length + 1, sender, clientId, body);
      messages.push(message);
      byClientId.set(clientId, message);
      changes += 1;
      return { message, isNew: true };
    },
    react(userId, messageId, isSet) {
      const index = messages.findIndex(({ id }) => id === messageId);
      const message = messages[index];
      if (message === undefined) throw new Error('There is no such message.');
      const others = (message.reactions ?? []).filter(({ user_id }) => user_id !== userId);
      if (others.length < (message.reactions ?? []).length === isSet) return message;
      changes += 1;
      changeHead += 1;
      const reaction = { code: 'done', user_id: userId, name: NAMES[userId] ?? '', at: CREATED_AT };
      const changed = { ...message, change_seq: changeHead, reactions: isSet ? [...others, reaction] : others };
      messages[index] = changed;
      return changed;
    },
    raise(markers) {
      const read_seq = Math.max(my.read_seq, markers.read_seq);
      const delivered_seq = Math.max(my.delivered_seq, markers.delivered_seq, read_seq);
      if (read_seq !== my.read_seq || delivered_seq !== my.delivered_seq) changes += 1;
      my = { read_seq, delivered_seq };
      return my;
    },
    unread,
    chat,
    participants: () => [participantOf(ME, my), participantOf(OTHER, { delivered_seq: 0, read_seq: 0 })],
    page: (place) => ({ data: pageOf(messages, place), head_seq: messages.length, head_change_seq: changeHead }),
    sync(cursor) {
      const isChange = cursor !== String(changes);
      const chats = isChange ? [chat()] : [];
      return { chats, removed_chat_ids: [], reset: false, cursor: String(changes), has_more: false };
    },
  };
}

function messageOf(seq: number, sender: string, clientId: string, body: string): Message {
  return {
    ...{ id: idOf(0x10000 + seq), chat_id: CHAT, seq, client_id: clientId, kind: 'text', body, reply_to: null },
    sender: { id: sender, name: NAMES[sender] ?? '', title: null },
    device_time: null,
    created_at: new Date(Date.parse(CREATED_AT) + seq * 1000).toISOString(),
  };
}

export function excerptOf({ seq, sender, kind, body, created_at }: Message) {
  return { seq, sender_id: sender.id, sender_name: sender.name, kind, excerpt: body, created_at };
}

function participantOf(user_id: string, markers: Markers): Participant {
  return { user_id, name: NAMES[user_id] ?? '', title: null, access: 'write', ...markers };
}

function pageOf(messages: readonly Message[], place: PagePlace): readonly Message[] {
  const { after, before, around, changed_after, limit } = place;
  if (changed_after !== undefined) return changedAfter(messages, changed_after).slice(0, limit);
  if (after !== undefined) return messages.slice(after, after + limit);
  if (around !== undefined) {
    const from = Math.max(0, around - 1 - Math.floor(limit / 2));
    return messages.slice(from, from + limit);
  }
  const end = before === undefined ? messages.length : before - 1;
  return messages.slice(Math.max(0, end - limit), Math.max(0, end));
}
