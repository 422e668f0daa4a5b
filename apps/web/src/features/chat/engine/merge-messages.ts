import type { Message } from '@wardline/contract/chat/chat.ts';

/** Messages that exist between two that are held; both ends exclusive. */
export interface Gap {
  readonly afterSeq: number;
  readonly beforeSeq: number;
}

/** The one of two states of a message that is further; a state that came late is taken for nothing. */
export function newerOf(held: Message, incoming: Message | undefined): Message {
  return incoming !== undefined && (incoming.change_seq ?? 0) > (held.change_seq ?? 0) ? incoming : held;
}

/**
 * The one way in which messages come together: sorted by seq, each once, as it last was. Events may repeat and pages may
 * overlap; the result is the same in any order and however often.
 */
export function mergeMessages(held: readonly Message[], incoming: readonly Message[]): readonly Message[] {
  if (incoming.length === 0) return held;
  const lastHeld = held.at(-1)?.seq ?? 0;
  const [first] = incoming;
  if (incoming.length === 1 && first !== undefined && first.seq > lastHeld) return [...held, first];
  const bySeq = new Map(held.map((message) => [message.seq, message]));
  for (const message of incoming) bySeq.set(message.seq, newerOf(message, bySeq.get(message.seq)));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Where messages are missing between held ones. Seqs are gapless on the server, so every hole is real. */
export function gaps(messages: readonly Message[]): readonly Gap[] {
  const found: Gap[] = [];
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    if (before !== undefined && message.seq > before.seq + 1)
      found.push({ afterSeq: before.seq, beforeSeq: message.seq });
  }
  return found;
}

/** The newest messages without a hole among them. */
export function contiguousTail(messages: readonly Message[]): readonly Message[] {
  let start = messages.length - 1;
  while (start > 0 && messages[start - 1]?.seq === (messages[start]?.seq ?? 0) - 1) start -= 1;
  return messages.slice(Math.max(start, 0));
}
