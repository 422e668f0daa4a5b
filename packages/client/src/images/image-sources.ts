import { type ImageOptions, type ImagePlace, imageUrl, nextSide } from './image-url.ts';

/** The widths of screens, in CSS pixels, by the names that `sizes` uses. */
export const IMAGE_BREAKPOINTS = { xs: 320, sm: 640, md: 768, lg: 1024, xl: 1280, '2xl': 1536 } as const;
const SCREENS: Readonly<Record<string, number>> = IMAGE_BREAKPOINTS;

export interface ImageSourceOptions extends ImageOptions {
  /** How many of the image's pixels go on one CSS pixel; 1 and 2 unless told. */
  readonly densities?: readonly number[];
}

export interface SizedSourceOptions extends ImageSourceOptions {
  /** How wide the image is drawn from a breakpoint up: '100vw md:50vw lg:400px'. */
  readonly sizes: string;
}

/** What goes into `<img>`. */
export interface ImageSources {
  readonly src: string;
  readonly srcSet: string;
  readonly sizes?: string;
}

/** The addresses of an image that is always drawn in one size, for each density; null where `imageUrl` answers null. */
export function imageSources(src: string, options: ImageSourceOptions, place: ImagePlace): ImageSources | null {
  const { densities = [1, 2], ...wanted } = options;
  const plain = imageUrl(src, wanted, place);
  if (plain === null) return null;
  if (src.startsWith('blob:')) return { src: plain, srcSet: '' };
  const { width, height } = wanted;
  const at = (n: number) =>
    imageUrl(src, { ...wanted, ...side('width', width, n), ...side('height', height, n) }, place);
  return { src: plain, srcSet: densities.map((density) => `${at(density)} ${density}x`).join(', ') };
}

/** The addresses of an image whose size follows the screen's; null where `imageUrl` answers null. */
export function sizedImageSources(src: string, options: SizedSourceOptions, place: ImagePlace): ImageSources | null {
  const { sizes, ...wanted } = options;
  const plain = imageSources(src, wanted, place);
  const steps = readSizes(sizes);
  if (plain === null || plain.srcSet === '' || steps.length === 0) return plain;
  const { width: ofWidth, height: ofHeight, densities = [1, 2] } = wanted;
  const ratio = ofWidth !== undefined && ofHeight !== undefined ? ofHeight / ofWidth : null;
  const heightOf = (width: number) => (ratio === null ? ofHeight : Math.round(width * ratio));
  const widths = new Set(
    steps.flatMap(({ width }) => densities.map((density) => nextSide(width * density, place.sides))),
  );
  const variants = [...widths]
    .sort((a, b) => a - b)
    .map((width) => ({ width, url: imageUrl(src, { ...wanted, width, ...side('height', heightOf(width)) }, place) }));
  return {
    src: variants.at(-1)?.url ?? plain.src,
    srcSet: variants.map(({ width, url }) => `${url} ${width}w`).join(', '),
    sizes: steps.map(({ size }, index) => withMedia(size, steps[index + 1]?.screen)).join(', '),
  };
}

interface SizeStep {
  /** From this width of the screen on. */
  readonly screen: number;
  readonly size: string;
  /** What that is in pixels on a screen of just that width. */
  readonly width: number;
}

/** Narrowest screen first. A size without a breakpoint is meant for all below the first; what cannot be read is left out. */
function readSizes(sizes: string): readonly SizeStep[] {
  const steps = new Map<number, SizeStep>();
  for (const entry of sizes.split(/[\s,]+/)) {
    const [size = '', key] = entry.split(':').reverse();
    const screen = key === undefined ? 0 : (SCREENS[key] ?? Number.parseInt(key, 10));
    const [, amount, unit] = /^(\d+)(px|vw|)$/.exec(size) ?? [];
    const drawnOn = screen === 0 ? IMAGE_BREAKPOINTS.xs : screen;
    const width = unit === 'vw' ? Math.round((Number(amount) / 100) * drawnOn) : Number(amount);
    if (screen >= 0 && width > 0) steps.set(screen, { screen, size: unit === '' ? `${size}px` : size, width });
  }
  return [...steps.values()].sort((a, b) => a.screen - b.screen);
}

function withMedia(size: string, nextScreen: number | undefined): string {
  return nextScreen === undefined ? size : `(max-width: ${nextScreen}px) ${size}`;
}

function side(key: 'width' | 'height', length: number | undefined, density = 1): Pick<ImageOptions, typeof key> {
  return length === undefined ? {} : { [key]: length * density };
}
