import type { Message, MessageAct } from '@wardline/contract/chat/chat.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';

interface Place {
  readonly actor: Actor;
  readonly chatId: string;
  readonly facilityId: string;
  /** What the lines tell of. */
  readonly act?: MessageAct;
}

/** A system line is what its sender did, said without the name: 'closed the chat', 'added Leila Haddad'. */
export async function appendLines(
  tx: Parameters<typeof appendLine>[0],
  { actor, chatId, facilityId, act }: Place,
  bodies: readonly string[],
): Promise<Message[]> {
  const title = membershipIn(actor, facilityId)?.title ?? null;
  const sender = { id: actor.userId, name: actor.name, title };
  const lines: Message[] = [];
  for (const body of bodies) lines.push(await appendLine(tx, { chatId, sender, body, act }));
  return lines;
}
