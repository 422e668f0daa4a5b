import { counted } from './counts.ts';

const MINUTE_MS = 60_000;

/** How long, in ms, in the two largest units that say something: `40 min`, `3 h 5 min`, `2 days`. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return counted(days, 'day');
}
