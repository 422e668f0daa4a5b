import type { Chat, ChatChanged, LastMessage, Markers, Message } from '@wardline/contract/chat/chat.ts';
import { forwardMark, inOneLine, tellsOfPeople } from '#/features/chat/core/chat-labels.ts';

export const UNREAD_COUNTED_TO = 100;
const EXCERPT_LENGTH = 160;

/** A chat as the server gave it, but never behind what an event has told already. */
export function mergeChat(held: Chat | undefined, given: Chat): Chat {
  if (held === undefined) return given;
  const changes = (chat: Chat) => chat.head_change_seq ?? 0;
  const isChangeHeld =
    held.head_seq > given.head_seq || (held.head_seq === given.head_seq && changes(held) > changes(given));
  const my = {
    ...given.my,
    delivered_seq: Math.max(held.my.delivered_seq, given.my.delivered_seq),
    read_seq: Math.max(held.my.read_seq, given.my.read_seq),
  };
  // Read here further than the server knows yet: at most what came since is unread beside what was.
  const since = held.my.unread + given.head_seq - held.head_seq;
  const unread = held.my.read_seq > given.my.read_seq ? Math.min(given.my.unread, since) : given.my.unread;
  return {
    ...given,
    head_seq: Math.max(held.head_seq, given.head_seq),
    head_change_seq: Math.max(changes(held), changes(given)),
    last_message: isChangeHeld ? held.last_message : given.last_message,
    my: isChangeHeld ? { ...my, ...unreadOf(held) } : { ...my, unread },
  };
}

const unreadOf = ({ my: { unread, mention_seq = 0 } }: Chat) => ({ unread, mention_seq });

/** The chat after an event, and whether the server must be asked what else changed. */
export function applyChatChanged(held: Chat, event: ChatChanged, myId: string): { chat: Chat; isUnclear: boolean } {
  const isNew = event.head_seq > held.head_seq;
  const step = event.head_seq - held.head_seq;
  const changeSeq = Math.max(held.head_change_seq ?? 0, event.head_change_seq ?? 0);
  // Its newest message may have changed; an event from before that says nothing new.
  const isSameHead = event.head_seq === held.head_seq && (event.head_change_seq ?? changeSeq) === changeSeq;
  const last = isNew || isSameHead ? (event.last_message ?? held.last_message) : held.last_message;
  const writers = event.sender_ids ?? (event.last_message ? [event.last_message.sender_id] : []);
  const ofOthers = isNew ? writers.slice(-step).filter((id) => id !== myId) : [];
  const unread = Math.min(held.my.unread + ofOthers.length, UNREAD_COUNTED_TO);
  const isCalled = isNew && (event.mentioned === 'all' ? ofOthers.length > 0 : event.mentioned?.includes(myId));
  return {
    chat: {
      ...held,
      head_seq: Math.max(held.head_seq, event.head_seq),
      head_change_seq: changeSeq,
      ...(event.pin_count !== undefined && { pin_count: event.pin_count }),
      ...(event.urgent_count !== undefined && { urgent_count: event.urgent_count }),
      last_message: last,
      my: { ...held.my, unread, ...(isCalled && { mention_seq: event.head_seq }) },
    },
    // More messages than it says the writers of: some may be mine, so the server counts. Another version: the title or
    // state changed. A line about people: there are more or fewer.
    isUnclear:
      event.version !== held.version ||
      step > Math.max(1, writers.length) ||
      (last !== null && tellsOfPeople(last.kind, last.excerpt)),
  };
}

/** A lower mention than the one that is known: the message was edited or deleted. */
type MyMarkers = Partial<Markers> & { readonly mention_seq?: number | undefined };

/** The chat with my markers raised; unread follows as far as this device can know. */
export function applyMyMarkers(held: Chat, markers: MyMarkers): { chat: Chat; isUnclear: boolean } {
  const read_seq = Math.max(held.my.read_seq, markers.read_seq ?? 0);
  const delivered_seq = Math.max(held.my.delivered_seq, markers.delivered_seq ?? 0, read_seq);
  const isRead = read_seq > held.my.read_seq;
  const left = Math.max(0, held.head_seq - read_seq);
  const unread = isRead ? Math.min(held.my.unread, left) : held.my.unread;
  const { mention_seq = held.my.mention_seq ?? 0 } = markers;
  const my = { ...held.my, read_seq, delivered_seq, unread, mention_seq };
  return { chat: { ...held, my }, isUnclear: isRead && unread > 0 };
}

/** The chat after a message whose whole text is here, e.g. my own just stored. */
export function applyMessage(held: Chat, message: Message): Chat {
  const head_change_seq = Math.max(held.head_change_seq ?? 0, message.change_seq ?? 0);
  if (message.seq < held.head_seq) return { ...held, head_change_seq };
  return { ...held, head_seq: message.seq, head_change_seq, last_message: lastMessage(message) };
}

function lastMessage(message: Message): LastMessage {
  const { seq, sender, kind, created_at, deleted, forwarded } = message;
  const excerpt = forwardMark(forwarded) + [...inOneLine(message)].slice(0, EXCERPT_LENGTH).join('');
  const gone = deleted ? { is_deleted: true } : {};
  return { seq, sender_id: sender.id, sender_name: sender.name, kind, excerpt, created_at, ...gone };
}

/** Newest activity first; ids decide between equals, so that rows never swap by themselves. */
export function byActivity(a: Chat, b: Chat): number {
  return activity(b) - activity(a) || (a.id < b.id ? 1 : -1);
}

function activity(chat: Chat): number {
  const last = chat.last_message === null ? 0 : Date.parse(chat.last_message.created_at);
  return Math.max(last, Date.parse(chat.updated_at));
}
