import { pagePattern } from '@wardline/contract/page-path.ts';
import { prerenderPaths, shellPaths } from './app-paths.ts';

const pages = pagePattern([...prerenderPaths, ...shellPaths]);

/**
 * True where a navigation is answered by the app itself. Every other address is left to the server, which knows
 * its own (/api, /storage, /verify-email/{id}/{hash} …) and answers 404 to the rest, ids of the wrong form included.
 */
export function isAppPath(path: string): boolean {
  return pages.test(path);
}
