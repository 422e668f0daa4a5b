import { formatCount } from './counts.ts';
import { formatRounded } from './numbers.ts';

const STEP = 1024;

/** How much a file or a disk holds, as people count: `412 kB`, `3.1 MB`, `25 MB`, `1.8 GB`. A kilobyte has 1,024 bytes here. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / STEP;
  if (kilobytes < STEP) return `${formatCount(Math.max(1, Math.round(kilobytes)))} kB`;
  const megabytes = kilobytes / STEP;
  if (megabytes < STEP) return `${formatSize(megabytes)} MB`;
  return `${formatSize(megabytes / STEP)} GB`;
}

function formatSize(size: number): string {
  const isExact = size >= 10 || Number.isInteger(size);
  return isExact ? formatCount(Math.round(size)) : formatRounded(size, 1);
}
