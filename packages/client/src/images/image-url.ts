export type ImageFit = 'cover' | 'contain' | 'inside';

export interface ImageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly fit?: ImageFit;
  readonly format?: 'webp' | 'png' | 'jpeg';
  /** 1 to 100; 80 unless told. */
  readonly quality?: number;
  /** What stands behind transparent parts, in hexadecimal: 'ffffff'. */
  readonly background?: string;
}

export interface ImagePlace {
  /** The one origin whose images go through the proxy; empty means only this site's own. */
  readonly mediaHost: string;
  /** Where the proxy is, as `base_url` of the configuration; left out or empty, the page's own origin. */
  readonly origin?: string;
  /** The only widths and heights that the proxy makes; what lies between is asked for in the next larger one. */
  readonly sides?: readonly number[];
}

const PROXY = '/_img';
/** Where the proxy finds the images of the media host. */
const ALIAS = '/storage';

/**
 * The address of an image behind the site's own proxy, `/_img/{modifiers}/{path}` (IMG-1). A `blob:` address is answered as
 * it is; null for an image of any host but the configured one: nothing is ever loaded from elsewhere.
 */
export function imageUrl(src: string, options: ImageOptions, place: ImagePlace): string | null {
  if (src.startsWith('blob:')) return src;
  const path = proxyPath(src, place.mediaHost);
  return path === null ? null : `${place.origin ?? ''}${PROXY}/${modifiersOf(options, place)}${path}`;
}

/** In the order of the first client, so that one image has one address in every cache. */
function modifiersOf(options: ImageOptions, { sides }: ImagePlace): string {
  const { fit, format = 'webp', quality = 80, background } = options;
  const width = nextSide(options.width, sides);
  const height = nextSide(options.height, sides);
  const isBoth = width !== undefined && height !== undefined;
  const modifiers: [key: string, value: string | number | undefined][] = [
    ['w', isBoth ? undefined : width],
    ['h', isBoth ? undefined : height],
    ['f', format],
    ['q', quality],
    ['b', background],
    ['fit', fit],
    ['s', isBoth ? `${width}x${height}` : undefined],
  ];
  return modifiers
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}_${encodeURIComponent(String(value))}`)
    .join('&');
}

/** The length, or the next larger of those there are; the largest for one beyond them all. */
export function nextSide<Length extends number | undefined>(
  length: Length,
  sides: readonly number[] | undefined,
): Length {
  if (length === undefined || sides === undefined) return length;
  const larger = sides.filter((side) => side >= length);
  return Math.min(...(larger.length > 0 ? larger : [Math.max(...sides)])) as Length;
}

/** The encoded path that the proxy is asked for, or null. */
function proxyPath(src: string, mediaHost: string): string | null {
  const path = isAbsolute(src) ? mediaPath(src, mediaHost) : `/${src.replace(/^\//, '')}`;
  if (path === null || path === '/' || path.split('/').some((part) => part === '.' || part === '..')) return null;
  return encodeURI(path).replace(/[?#]/g, (sign) => (sign === '?' ? '%3F' : '%23'));
}

/** Whether an address names a host or a scheme, also in the ways that only browsers understand. */
function isAbsolute(src: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^[\\/]{2}/i.test(src);
}

function mediaPath(src: string, mediaHost: string): string | null {
  if (mediaHost === '' || !URL.canParse(src) || !URL.canParse(mediaHost)) return null;
  const url = new URL(src);
  if (url.origin !== new URL(mediaHost).origin || url.username !== '' || url.password !== '') return null;
  try {
    return `${ALIAS}${decodeURIComponent(url.pathname)}${url.search}`;
  } catch {
    return null;
  }
}
