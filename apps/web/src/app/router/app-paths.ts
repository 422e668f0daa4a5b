/** Pages that are rendered when the client is built: each stands in a file of its own and shows without JavaScript. */
export const prerenderPaths = ['/', '/about', '/contacts', '/403', '/sign-in', '/sign-up', '/forgot-password'];

/** Those of them that are for guests only. */
export const guestPaths = ['/sign-in', '/sign-up', '/forgot-password'];

/** All other pages start from the empty shell; `{…}` stands for one id. The build hands this list to the server. */
export const shellPaths = [
  '/setup',
  '/password-reset/{hash}',
  '/chats',
  '/people',
  '/handovers',
  '/chat',
  '/chat/f-{id}',
  '/chat/f-{id}/c-{id}',
  '/chat/f-{id}/p-{id}',
  '/chat/f-{id}/r-{id}',
  '/chat/f-{id}/c-{id}/e-{id}',
  '/chat/f-{id}/c-{id}/examinations',
  '/chat/f-{id}/c-{id}/h-{id}',
  '/search',
  '/settings',
  '/settings/audit',
  '/settings/emergency',
  '/settings/readers',
  '/settings/facility',
  '/settings/laboratory',
  '/settings/recorded',
  '/settings/system',
  '/dashboard',
  '/verify-email',
  '/census',
  '/census-logs',
  '/census-unit',
  '/census-summary',
];

/** The file of the build that shows a page of the app. */
export function pageFile(path: string): string {
  if (!prerenderPaths.includes(path)) return '/shell.html';
  return path === '/' ? '/index.html' : `${path}/index.html`;
}
