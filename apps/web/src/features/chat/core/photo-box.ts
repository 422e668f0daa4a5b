import type { CSSProperties } from 'react';

/** The box of a picture: its size is known before a byte of it is here. Very long ones are cut to it. */
export function photoBox(width: number | null, height: number | null): CSSProperties {
  const ratio = Math.min(3, Math.max(0.5, (width ?? 4) / (height ?? 3)));
  return { '--ratio': String(Math.round(ratio * 1000) / 1000), '--natural': `${width ?? 320}px` } as CSSProperties;
}

/** One picture in its own shape; several as a grid of squares. */
export function photosClass(count: number): string {
  if (count === 1) return 'm-photos';
  return count < 5 ? 'm-photos is-grid' : 'm-photos is-grid is-many';
}
