import { formatPercent } from './numbers.ts';

/** A place on a picture, in shares of its width and height, as the contract states it. */
export interface WrittenRegion {
  readonly shape: 'rectangle' | 'ellipse' | 'point';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Which of several pictures, from 0. */
  readonly frame?: number | undefined;
}

const SHAPE_LABELS = { rectangle: 'Rectangle', ellipse: 'Ellipse', point: 'Point' } as const;

/** A place on a picture in words: `Rectangle 10 % from the left, 20 % from the top, 30 % wide, 15 % high`. */
export function formatRegion({ shape, x, y, width, height, frame }: WrittenRegion): string {
  const size = shape === 'point' ? '' : `, ${ofHundred(width)} wide, ${ofHundred(height)} high`;
  const image = frame === undefined ? '' : `, image ${frame + 1}`;
  return `${SHAPE_LABELS[shape]} ${ofHundred(x)} from the left, ${ofHundred(y)} from the top${size}${image}`;
}

function ofHundred(share: number): string {
  return formatPercent(Math.round(share * 1000) / 10);
}
