import { AppError } from '#/platform/http/app-error.ts';

const LONGEST_PATH = 1024;
const LONGEST_SEGMENT = 255;
const DEEPEST = 16;
/** What a file may be called: nothing that a path, an address or an encoding could be made of. */
const SEGMENT = /^[\p{L}\p{M}\p{N} ._~!'()+,;=&$-]+$/u;

/** What a path names: something below `/storage`, which is ours or the media host's, or a file of this site itself. */
export interface ImagePath {
  readonly place: 'storage' | 'site';
  /** Below `/storage`, or from the root of the site. */
  readonly segments: readonly string[];
}

/**
 * Reads the path of an address of the proxy, as it came over the wire. There is no way to say a host: whatever looks like
 * one is 403, and what is no plain path is 400, before anything is asked anywhere.
 */
export function readImagePath(raw: string): ImagePath {
  if (/^(https?:|\/|[a-z][a-z0-9+.-]*:)/i.test(raw) || /@|%40|:|%3a|\/\//i.test(raw)) throw forbiddenHost();
  const [first, ...rest] = raw.split('/');
  const [place, segments] = first === 'storage' ? (['storage', rest] as const) : (['site', raw.split('/')] as const);
  if (segments.length === 0 || segments.length > DEEPEST || raw.length > LONGEST_PATH) throw noPath();
  return { place, segments: segments.map(readSegment) };
}

function readSegment(raw: string): string {
  let segment: string;
  try {
    segment = decodeURIComponent(raw);
  } catch {
    throw noPath();
  }
  const isDots = /^\.+$/.test(segment);
  if (isDots || segment.length > LONGEST_SEGMENT || !SEGMENT.test(segment)) throw noPath();
  return segment;
}

/** Where a path of ours lies on the media host. */
export function mediaUrl(mediaHost: string, segments: readonly string[]): URL {
  const url = new URL(`/${segments.map(encodeURIComponent).join('/')}`, mediaHost);
  if (url.origin !== mediaHost || url.search !== '' || url.hash !== '') throw forbiddenHost();
  return url;
}

export function forbiddenHost(): AppError {
  return new AppError('forbidden', { message: 'Forbidden host' });
}

function noPath(): AppError {
  return new AppError('bad_request', { message: 'This is not the path of a picture.' });
}
