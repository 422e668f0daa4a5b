const longest = 2048;
// The URL parser drops tabs and line breaks and reads a backslash as a slash; neither has a place in a path of ours.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hostile = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/;
const here = 'https://wardline.invalid';

/**
 * The path to go to after sign-in: `wanted` when it is a path of this site, else `fallback`. What is answered starts
 * with exactly one slash, is normalised, and never leads back to the sign-in page.
 */
export function safeRedirect(wanted: unknown, fallback: string): string {
  if (typeof wanted !== 'string' || wanted.length > longest) return fallback;
  if (!wanted.startsWith('/') || wanted.startsWith('//') || hostile.test(wanted)) return fallback;
  const url = parse(wanted);
  if (!url || url.origin !== here || url.username || url.password) return fallback;
  // `/.//host` normalises to `//host`.
  if (url.pathname.startsWith('//') || url.pathname === '/sign-in') return fallback;
  return url.pathname + url.search + url.hash;
}

function parse(path: string): URL | null {
  try {
    return new URL(path, here);
  } catch {
    return null;
  }
}
