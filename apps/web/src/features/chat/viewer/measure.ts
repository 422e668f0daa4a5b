import { formatRounded } from '@wardline/format/numbers.ts';
import type { PictureGeometry } from './viewed-picture.ts';
import type { Line } from './viewer-state.ts';

/** How long a line is, in the picture's own pixels or in millimetres: `124 px`, `35.2 mm`. */
export function formatLength({ from, to }: Line, { width, height, spacing }: PictureGeometry): string {
  const [across, down] = [(to.x - from.x) * width, (to.y - from.y) * height];
  if (spacing === null) return `${Math.round(Math.hypot(across, down))} px`;
  return `${formatRounded(Math.hypot(across * spacing.x, down * spacing.y), 1)} mm`;
}
