import { useEffect, useRef, useState } from 'react';
import type { ThreadRow } from './group-rows.ts';

const longest = 200;

/** What a screen reader says when others write: the newest message that came since the thread was opened. */
export function useAnnouncement(rows: readonly ThreadRow[]): string {
  const [words, setWords] = useState('');
  const announcedSeq = useRef<number | null>(null);
  useEffect(() => {
    const newest = rows.findLast((row) => row.kind === 'message');
    if (newest?.kind !== 'message') return;
    const { seq, sender, body } = newest.message;
    const before = announcedSeq.current;
    announcedSeq.current = Math.max(before ?? 0, seq);
    if (before === null || seq <= before || newest.isOwn) return;
    setWords(`${sender.name}: ${body.slice(0, longest)}`);
  }, [rows]);
  return words;
}
