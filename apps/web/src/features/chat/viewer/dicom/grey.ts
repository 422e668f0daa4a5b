import type { Adjust } from '#/features/chat/viewer/viewer-state.ts';
import type { DicomHead, GreyWindow } from './read-dicom.ts';
import type { DicomFrame } from './read-frame.ts';

type Meaning = Pick<DicomHead, 'slope' | 'intercept' | 'isInverted' | 'padding'>;
type Grey = Extract<DicomFrame, { kind: 'grey' }>;

/** All values that were measured, from black to white: for a file that asks for no window. */
export function wholeWindow({ values }: Grey, { slope, intercept, padding }: Meaning): GreyWindow {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const stored of values) {
    if (stored === padding) continue;
    low = Math.min(low, stored);
    high = Math.max(high, stored);
  }
  if (low > high) [low, high] = [0, 0];
  const ends = [low * slope + intercept, high * slope + intercept];
  const width = Math.abs((ends[1] ?? 0) - (ends[0] ?? 0)) + 1;
  return { center: ((ends[0] ?? 0) + (ends[1] ?? 0) + 1) / 2, width, shape: 'LINEAR' };
}

/** More contrast is a narrower window, brighter a lower one. */
export function adjusted({ center, width, shape }: GreyWindow, { brightness, contrast }: Adjust): GreyWindow {
  return { center: center - (brightness - 1) * width, width: Math.max(1, width / contrast), shape };
}

/** How bright a value is, 0 to 255 (DICOM PS3.3, C.11.2.1.2 and C.11.2.1.3). */
export function greyOf(value: number, { center, width, shape }: GreyWindow): number {
  if (shape === 'SIGMOID') return 255 / (1 + Math.exp((-4 * (value - center)) / width));
  if (shape === 'LINEAR_EXACT') return limited(((value - center) / width + 0.5) * 255);
  if (width <= 1) return value <= center - 0.5 ? 0 : 255;
  return limited(((value - (center - 0.5)) / (width - 1) + 0.5) * 255);
}

function limited(grey: number): number {
  return Math.min(255, Math.max(0, grey));
}

const STORED = 65_536;

/** Draws values as greys, each stored number looked up once. */
export function drawGrey({ values }: Grey, meaning: Meaning, window: GreyWindow): Uint8ClampedArray<ArrayBuffer> {
  const { slope, intercept, isInverted } = meaning;
  const first = values instanceof Int16Array ? -STORED / 2 : 0;
  const greys = new Uint8ClampedArray(STORED);
  for (let at = 0; at < STORED; at++) {
    const grey = greyOf((at + first) * slope + intercept, window);
    greys[at] = isInverted ? 255 - grey : grey;
  }
  const rgba = new Uint8ClampedArray(values.length * 4);
  for (let at = 0; at < values.length; at++) {
    const grey = greys[(values[at] ?? 0) - first] ?? 0;
    rgba.fill(grey, at * 4, at * 4 + 3);
    rgba[at * 4 + 3] = 255;
  }
  return rgba;
}
