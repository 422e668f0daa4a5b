import type { FoundMessage } from '@wardline/contract/search.ts';
import type { ReactNode } from 'react';

/** An excerpt with what was found in it marked; ranges that do not fit it are left out. */
export function HighlightedText({ excerpt, ranges }: Pick<FoundMessage, 'excerpt' | 'ranges'>): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at || end <= start || end > excerpt.length) continue;
    parts.push(
      excerpt.slice(at, start),
      <mark key={start} className="found">
        {excerpt.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, excerpt.slice(at)];
}
