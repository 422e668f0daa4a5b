import type { Mention } from '@wardline/contract/chat/chat.ts';

export interface MentionPart {
  readonly text: string;
  /** Null for the words between them. */
  readonly mention: Mention | null;
}

/** Cuts a text at the '@' and name of those whom its message calls; nothing is added or lost. */
export function mentionParts(text: string, mentions: readonly Mention[]): MentionPart[] {
  const parts: MentionPart[] = [];
  let from = 0;
  const add = (to: number, mention: Mention | null) => {
    if (to > from) parts.push({ text: text.slice(from, to), mention });
    from = Math.max(from, to);
  };
  // Of two names that begin alike the longer is meant.
  const byLength = [...mentions].sort((a, b) => b.name.length - a.name.length);
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    const found = byLength.find(({ name }) => text.startsWith(name, at + 1));
    if (!found) continue;
    add(at, null);
    add(at + 1 + found.name.length, found);
  }
  add(text.length, null);
  return parts;
}
