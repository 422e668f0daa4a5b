import { formatCount } from './counts.ts';
import { formatRounded } from './numbers.ts';

const STEP = 1024;

/** How much a file holds, as people count: `412 kB`, `3.1 MB`, `25 MB`. A kilobyte has 1,024 bytes here. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / STEP;
  if (kilobytes < STEP) return `${formatCount(Math.max(1, Math.round(kilobytes)))} kB`;
  const megabytes = kilobytes / STEP;
  const isExact = megabytes >= 10 || Number.isInteger(megabytes);
  return `${isExact ? formatCount(Math.round(megabytes)) : formatRounded(megabytes, 1)} MB`;
}
