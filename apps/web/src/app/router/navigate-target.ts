import { isAppPath } from './is-app-path.ts';

const here = 'https://wardline.invalid';

/** How to go on to a path of this site: by the router, or by a full load where the server answers it (a mailed link). */
export function navigateTarget(href: string): { href: string; replace: true; reloadDocument?: true } {
  const { pathname } = new URL(href, here);
  return { href, replace: true, ...(isAppPath(pathname) ? {} : { reloadDocument: true }) };
}
