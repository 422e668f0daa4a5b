import type { FoundMessage } from '@wardline/contract/chat/search.ts';
import type { ReactNode } from 'react';

/** An excerpt with what was found in it marked, without the signs of bold; ranges that do not fit it are left out. */
export function HighlightedText({ excerpt, ranges }: Pick<FoundMessage, 'excerpt' | 'ranges'>): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at || end <= start || end > excerpt.length) continue;
    parts.push(
      withoutBold(excerpt.slice(at, start)),
      <mark key={start} className="found">
        {withoutBold(excerpt.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  return [...parts, withoutBold(excerpt.slice(at))];
}

/** A power (2**3) is none: bold begins and ends at the edge of a word. */
function withoutBold(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}])\*\*|\*\*(?![\p{L}\p{N}])/gu, '');
}
