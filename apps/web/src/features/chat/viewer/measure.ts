import type { Line } from './viewer-state.ts';

/** What of a picture is known besides its looks. */
export interface PictureFacts {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Between two pixels, in millimetres, across and down; null where the picture does not say it. */
  readonly spacing: { readonly x: number; readonly y: number } | null;
  /** How many pictures it has. */
  readonly frames: number;
}

/** How long a line is, in the picture's own pixels or in millimetres: `124 px`, `35.2 mm`. */
export function formatLength({ from, to }: Line, { width, height, spacing }: PictureFacts): string {
  const [across, down] = [(to.x - from.x) * width, (to.y - from.y) * height];
  if (spacing === null) return `${Math.round(Math.hypot(across, down))} px`;
  return `${Math.hypot(across * spacing.x, down * spacing.y).toFixed(1)} mm`;
}
