import { TypingLine } from '@wardline/ui/chat/typing-line.tsx';
import type { Person } from '#/features/chat/core/chat-view.ts';

export function Typing({ people }: { readonly people: readonly Person[] }) {
  return <TypingLine text={formatTyping(people)} />;
}

/** Who is typing, in words; undefined where nobody is. */
export function formatTyping(people: readonly Person[]): string | undefined {
  const [first, second] = people;
  if (!first) return undefined;
  if (!second) return `${first.name} is typing`;
  if (people.length === 2) return `${first.name} and ${second.name} are typing`;
  return `${first.name} and ${people.length - 1} others are typing`;
}
