import type { BackEndAddress } from './back-end-addresses.ts';

const ENDS: Readonly<Record<BackEndAddress['reach'], string>> = { with: '(/|$)', below: '/.', only: '/?$' };

/** The map of nginx that tells what is the back end's, one line for the addresses of one kind. */
export function nginxMap(addresses: readonly BackEndAddress[]): string {
  const lines = new Map<string, string[]>();
  for (const { path, reach, method } of addresses) {
    const kind = `${method ?? '[A-Z]+'} /|${ENDS[reach]}`;
    lines.set(kind, [...(lines.get(kind) ?? []), path.slice(1).replace(/[^\w/-]/g, '\\$&')]);
  }
  const patterns = [...lines].map(([kind, names]) => {
    const [before = '', ...after] = kind.split('|');
    return `  "~^${before}(${names.join('|')})${after.join('|')}" 1;`;
  });
  return ['map "$request_method $uri" $is_of_back_end {', '  default 0;', ...patterns, '}'].join('\n');
}
