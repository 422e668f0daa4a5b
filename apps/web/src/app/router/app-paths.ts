/** Pages that are rendered when the client is built: each stands in a file of its own and shows without JavaScript. */
export const prerenderPaths = ['/', '/about', '/contacts', '/403', '/sign-in', '/sign-up', '/forgot-password'];

/** Those of them that are for guests only. */
export const guestPaths = ['/sign-in', '/sign-up', '/forgot-password'];

/** All other pages start from the empty shell; `{…}` stands for one id. The build hands this list to the server. */
export const shellPaths = [
  '/password-reset/{hash}',
  '/chats',
  '/chat',
  '/chat/f-{id}',
  '/chat/f-{id}/c-{id}',
  '/chat/f-{id}/c-{id}/e-{id}',
  '/settings',
  '/dashboard',
  '/verify-email',
  '/census',
  '/census-logs',
  '/census-unit',
  '/census-summary',
];

const exact = new Set([...prerenderPaths, ...shellPaths]);
const below = ['/chat/', '/password-reset/'];

/**
 * True where a navigation is answered by the app itself. Every other address is left to the server, which knows
 * its own (/api, /storage, /verify-email/{id}/{hash} …) and answers 404 to the rest. Below a folder of the app an
 * id of the wrong form is the app's to refuse.
 */
export function isAppPath(path: string): boolean {
  return exact.has(path) || below.some((start) => path.startsWith(start));
}

/** The file of the build that shows a page of the app. */
export function pageFile(path: string): string {
  if (!prerenderPaths.includes(path)) return '/shell.html';
  return path === '/' ? '/index.html' : `${path}/index.html`;
}
