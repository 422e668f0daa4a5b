import { createFakeApi, type FakeApi, FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createFakeRealtime, type FakeRealtime } from '@wardline/client/testing/fake-line.ts';
import { getDeviceKey } from '@wardline/contract/account/auth.ts';
import { channelName } from '@wardline/contract/channel.ts';
import {
  type Chat,
  chatChannel,
  getChat,
  listMessages,
  listParticipants,
  type Message,
  type Participant,
  privateChatChannel,
  raiseMarkers,
  sendMessage,
  sync,
  userChannel,
} from '@wardline/contract/chat/chat.ts';
import { deleteMessage, editMessage, setPin, setReaction } from '@wardline/contract/chat/chat-changes.ts';
import { listDrafts, saveDraft } from '@wardline/contract/chat/drafts.ts';

export const ME = '01970000-0000-7000-8000-0000000000a1';
export const OTHER = '01970000-0000-7000-8000-0000000000a2';
export const FACILITY = '01970000-0000-7000-8000-0000000000f1';
export const CHAT = '01970000-0000-7000-8000-0000000000c1';
const NAMES: Readonly<Record<string, string>> = { [ME]: 'Nuru', [OTHER]: 'Imre' };

/** An id that sorts by its number. */
export function idOf(number: number): string {
  return `01980000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** A server that keeps chats as the contract promises: gapless seqs, repeats answered with what is stored. */
interface SayOptions {
  readonly isSilent?: boolean;
  readonly clientId?: string;
  readonly kind?: Message['kind'];
}

export interface FakeChatServer {
  readonly api: FakeApi;
  readonly realtime: FakeRealtime;
  readonly messages: Message[];
  readonly participants: Participant[];
  /** What the server is told of a message it stores; false: stored, but nobody hears of it live. */
  say(sender: string, body: string, options?: SayOptions): Message;
  /** Its author gives a message another text, elsewhere. */
  edit(message: Message, body: string): Message;
  removeMe(): void;
  /** Somebody gives a reaction; `isSilent`: nobody hears of it live. */
  react(userId: string, message: Message, isSet?: boolean, options?: Pick<SayOptions, 'isSilent'>): Message;
  chat(): Chat;
}

export function createFakeChatServer(): FakeChatServer {
  const api = createFakeApi();
  const realtime = createFakeRealtime();
  const messages: Message[] = [];
  const participants: Participant[] = [ME, OTHER].map((user_id) => ({
    user_id,
    name: NAMES[user_id] ?? '',
    title: null,
    access: 'write',
    delivered_seq: 0,
    read_seq: 0,
  }));
  const created_at = '2026-01-01T08:00:00Z';
  let isMine = true;
  let made = 0;
  let changes = 1;
  let changeHead = 0;

  const mine = (): Participant => {
    const found = participants.find((person) => person.user_id === ME);
    if (found === undefined) throw new FakeRefusal('not_found');
    return found;
  };
  const chat = (): Chat => {
    const last = messages.at(-1);
    const { delivered_seq, read_seq } = mine();
    const unread = messages.filter(({ seq, sender }) => seq > read_seq && sender.id !== ME).length;
    return {
      id: CHAT,
      facility_id: FACILITY,
      kind: 'group',
      title: 'Ward 3A',
      patient: null,
      state: 'open',
      head_seq: messages.length,
      head_change_seq: changeHead,
      version: 1,
      participant_count: participants.length,
      last_message: last === undefined ? null : excerpt(last),
      my: { access: 'write', delivered_seq, read_seq, unread: Math.min(unread, 100) },
      created_at,
      updated_at: last?.created_at ?? created_at,
    };
  };
  const guard = (): void => {
    if (!isMine) throw new FakeRefusal('not_found');
  };
  const tell = (message: Message, exceptSocketId: string | null): void => {
    for (const channel of [chatChannel, privateChatChannel]) {
      realtime.publish(channelName(channel, CHAT), 'App\\Events\\MessageSent', { message }, exceptSocketId);
    }
    const changes = {
      chat_id: CHAT,
      facility_id: FACILITY,
      head_seq: messages.length,
      version: 1,
      last_message: excerpt(message),
    };
    realtime.publish(channelName(userChannel, ME), 'App\\Events\\ChatChanged', changes, exceptSocketId);
  };
  const store = (
    sender: string,
    clientId: string,
    body: string,
    kind: Message['kind'] = 'text',
    replyTo?: string | null,
  ): { message: Message; isNew: boolean } => {
    const stored = messages.find((message) => message.client_id === clientId && message.sender.id === sender);
    if (stored !== undefined) {
      if (stored.body !== body) throw new FakeRefusal('client_id_reused');
      return { message: stored, isNew: false };
    }
    changes += 1;
    const answered = messages.find(({ id }) => id === replyTo);
    const seq = messages.length + 1;
    const message: Message = {
      id: idOf(0x10000 + seq),
      chat_id: CHAT,
      seq,
      client_id: clientId,
      sender: { id: sender, name: NAMES[sender] ?? '', title: null },
      kind,
      body,
      reply_to: replyTo ?? null,
      ...(answered && { reply_to_seq: answered.seq }),
      device_time: null,
      created_at: new Date(Date.parse(created_at) + seq * 1000).toISOString(),
    };
    messages.push(message);
    return { message, isNew: true };
  };

  const find = (id: string): Message => {
    const message = messages.find((one) => one.id === id);
    if (message === undefined) throw new FakeRefusal('not_found');
    return message;
  };
  const change = (message: Message, to: Partial<Message>): Message => {
    changes += 1;
    changeHead += 1;
    const changed = { ...message, ...to, change_seq: changeHead };
    messages[message.seq - 1] = changed;
    return changed;
  };
  const edit = (message: Message, body: string): Message =>
    change(message, { body, version: (message.version ?? 1) + 1, edited_at: created_at });
  const react = (userId: string, { id }: Pick<Message, 'id'>, isSet: boolean, code = 'done'): Message => {
    const message = find(id);
    const given = message.reactions ?? [];
    const others = given.filter((reaction) => reaction.user_id !== userId || reaction.code !== code);
    if (others.length < given.length === isSet) return message;
    const reaction = { code, user_id: userId, name: NAMES[userId] ?? '', at: created_at };
    return change(message, { reactions: isSet ? [...others, reaction] : others });
  };
  const tellChange = (message: Message, exceptSocketId: string | null): void => {
    for (const channel of [chatChannel, privateChatChannel]) {
      realtime.publish(channelName(channel, CHAT), 'App\\Events\\ReactionsChanged', { message }, exceptSocketId);
    }
  };

  api.on(listDrafts, () => ({ data: [] }));
  api.on(saveDraft, () => ({ version: 1 }));
  api.on(getDeviceKey, () => ({ key: btoa(String.fromCharCode(...new Uint8Array(32).fill(7))) }));
  api.on(getChat, () => {
    guard();
    return chat();
  });
  api.on(listParticipants, () => {
    guard();
    return { data: participants, next_cursor: null };
  });
  api.on(listMessages, ({ query }) => {
    guard();
    return { data: page(messages, query), head_seq: messages.length, head_change_seq: changeHead };
  });
  api.on(setReaction, ({ params, body, headers }) => {
    guard();
    const before = changeHead;
    const message = react(ME, { id: params.message ?? '' }, body.is_set, params.code);
    if (changeHead > before) tellChange(message, headers.get('X-Socket-ID'));
    return message;
  });
  api.on(sendMessage, ({ body, headers }) => {
    guard();
    const { message, isNew } = store(ME, body.client_id, body.body, 'text', body.reply_to);
    if (body.mentions) message.mentions = body.mentions.map((one) => ({ ...one, name: NAMES[one.id ?? ''] ?? 'all' }));
    if (body.cites) {
      message.citations = body.cites.map((one) => ({
        ...one,
        title: '',
        label: '',
        value: '',
        unit: null,
        interpretation: null,
      }));
    }
    if (isNew) tell(message, headers.get('X-Socket-ID'));
    return message;
  });
  api.on(editMessage, ({ params, body, headers }) => {
    guard();
    const message = find(params.message);
    if (message.body === body.body) return message;
    if (body.expected_version !== (message.version ?? 1)) throw new FakeRefusal('conflict');
    const edited = edit(message, body.body);
    tellChange(edited, headers.get('X-Socket-ID'));
    return edited;
  });
  api.on(setPin, ({ params, body, headers }) => {
    guard();
    const message = find(params.message);
    if ((message.pinned != null) === body.is_pinned) return message;
    const by = { at: created_at, user_id: ME, name: NAMES[ME] ?? '' };
    const pinned = change(message, { pinned: body.is_pinned ? by : null });
    tellChange(pinned, headers.get('X-Socket-ID'));
    return pinned;
  });
  api.on(deleteMessage, ({ params, body, headers }) => {
    guard();
    const message = find(params.message);
    if (message.deleted) return message;
    const gone = change(message, { body: '', reactions: [], deleted: { at: created_at, reason: body.reason } });
    tellChange(gone, headers.get('X-Socket-ID'));
    return gone;
  });
  api.on(raiseMarkers, ({ body }) => {
    guard();
    const me = mine();
    me.read_seq = Math.max(me.read_seq, body.read_seq ?? 0);
    me.delivered_seq = Math.max(me.delivered_seq, body.delivered_seq ?? 0, me.read_seq);
    changes += 1;
    return { delivered_seq: me.delivered_seq, read_seq: me.read_seq };
  });
  api.on(sync, ({ query }) => {
    const cursor = String(changes);
    const isChange = query.cursor !== cursor;
    const removed = isMine || query.cursor === undefined ? [] : [CHAT];
    return {
      chats: isMine && isChange ? [chat()] : [],
      removed_chat_ids: removed,
      reset: false,
      cursor,
      has_more: false,
    };
  });
  realtime.answer = (name) => {
    if (![chatChannel, privateChatChannel].some((channel) => name === channelName(channel, CHAT))) return {};
    guard();
    const hash = { [ME]: { name: 'Nuru', title: null }, [OTHER]: { name: 'Imre', title: null } };
    return { presence: { count: 2, ids: [ME, OTHER], hash }, head_seq: messages.length, head_change_seq: changeHead };
  };
  return {
    api,
    realtime,
    messages,
    participants,
    chat,
    say(sender, body, { isSilent = false, clientId, kind } = {}) {
      made += 1;
      const { message } = store(sender, clientId ?? idOf(made), body, kind);
      if (!isSilent) tell(message, null);
      return message;
    },
    react(userId, message, isSet = true, { isSilent = false } = {}) {
      const changed = react(userId, message, isSet);
      if (!isSilent) tellChange(changed, null);
      return changed;
    },
    edit(message, body) {
      const changed = edit(find(message.id), body);
      tellChange(changed, null);
      return changed;
    },
    removeMe() {
      isMine = false;
      changes += 1;
    },
  };
}

function excerpt({ seq, sender, kind, body, created_at }: Message) {
  return { seq, sender_id: sender.id, sender_name: sender.name, kind, excerpt: body.slice(0, 160), created_at };
}

interface Place {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly around?: number | undefined;
  readonly changed_after?: number | undefined;
  readonly limit?: number | undefined;
}

function page(messages: readonly Message[], place: Place): Message[] {
  const { after, before, around, changed_after, limit = 50 } = place;
  if (changed_after !== undefined) return changedAfter(messages, changed_after).slice(0, limit);
  if (after !== undefined) return messages.slice(after, after + limit);
  if (around !== undefined) {
    const from = Math.max(0, around - 1 - Math.floor(limit / 2));
    return messages.slice(from, from + limit);
  }
  const end = before === undefined ? messages.length : before - 1;
  return messages.slice(Math.max(0, end - limit), Math.max(0, end));
}

/** What changed after a change, in the order of the changes. */
export function changedAfter(messages: readonly Message[], change: number): Message[] {
  return messages
    .filter(({ change_seq = 0 }) => change_seq > change)
    .sort((a, b) => (a.change_seq ?? 0) - (b.change_seq ?? 0));
}
