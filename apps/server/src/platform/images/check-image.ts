import { type ImageHeader, readImageHeader } from './image-header.ts';

/** 24 million pixels are a large photograph; decoded they take 100 MB. */
export const MOST_PIXELS = 24_000_000;
/** The longest side that WebP can store. */
const LONGEST_SIDE = 16_383;
/** A thread of pixels is no picture, and made square it would be stretched over gigabytes. */
const GREATEST_RATIO = 100;

export type ImageFault = 'not_an_image' | 'animated' | 'too_large' | 'unreadable';

/** A picture cannot be taken, and why. */
export class ImageError extends Error {
  readonly fault: ImageFault;

  constructor(fault: ImageFault, cause?: unknown) {
    super(`This picture cannot be taken: ${fault}.`, { cause });
    this.name = 'ImageError';
    this.fault = fault;
  }
}

/** Refuses, before anything is decoded, what is no picture, moves, or would grow without measure. */
export function checkImage(bytes: Buffer): ImageHeader {
  const header = readImageHeader(bytes);
  if (header === null) throw new ImageError('not_an_image');
  if (header.isAnimated) throw new ImageError('animated');
  const [short, long] = [Math.min(header.width, header.height), Math.max(header.width, header.height)];
  if (short === 0) throw new ImageError('unreadable');
  const isTooLarge = long > LONGEST_SIDE || short * long > MOST_PIXELS || long > short * GREATEST_RATIO;
  if (isTooLarge) throw new ImageError('too_large');
  return header;
}
