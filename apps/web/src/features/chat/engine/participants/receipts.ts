import type { Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { Receipt } from '#/features/chat/core/chat-view.ts';

/** How far my message has got, by the markers of the others (CHAT-5); null for messages that are not mine. */
export function receiptOf(message: Message, myId: string, participants: readonly Participant[]): Receipt | null {
  if (message.sender.id !== myId || message.kind === 'system') return null;
  let delivered = 0;
  let read = 0;
  let of = 0;
  for (const person of participants) {
    // Who sees the chat from later on cannot have read it, however far they have got.
    if (person.user_id === myId || (person.joined_seq ?? 0) >= message.seq) continue;
    of += 1;
    if (person.read_seq >= message.seq) read += 1;
    if (person.delivered_seq >= message.seq) delivered += 1;
  }
  if (read > 0) return { state: 'read', count: read, of };
  return delivered > 0 ? { state: 'delivered', count: delivered } : { state: 'sent' };
}

/** The participants with one's markers raised; the same list when nothing rose. Markers never fall. */
export function raiseParticipant(
  participants: readonly Participant[],
  raised: { readonly user_id: string; readonly delivered_seq: number; readonly read_seq: number },
): readonly Participant[] {
  const before = participants.find((person) => person.user_id === raised.user_id);
  if (before === undefined) return participants;
  const delivered_seq = Math.max(before.delivered_seq, raised.delivered_seq);
  const read_seq = Math.max(before.read_seq, raised.read_seq);
  if (delivered_seq === before.delivered_seq && read_seq === before.read_seq) return participants;
  return participants.map((person) => (person === before ? { ...person, delivered_seq, read_seq } : person));
}
