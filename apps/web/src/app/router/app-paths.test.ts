import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guestPaths, pageFile, prerenderPaths, shellPaths } from './app-paths.ts';
import { isAppPath } from './is-app-path.ts';

const id = '01970000-0000-7000-8000-000000000001';

describe('PWA-5 the worker answers navigations to the app alone', () => {
  it.each([
    '/',
    '/about',
    '/contacts',
    '/403',
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/setup',
    '/password-reset/0123456789abcdefghij',
    '/dashboard',
    '/settings',
    '/settings/audit',
    '/settings/emergency',
    '/settings/readers',
    '/settings/facility',
    '/settings/laboratory',
    '/settings/system',
    '/verify-email',
    '/chats',
    '/chat',
    `/chat/f-${id}/c-${id}`,
    `/chat/f-${id}/c-${id}/e-${id}`,
    `/chat/f-${id}/c-${id}/examinations`,
    `/chat/f-${id}/c-${id}/h-${id}`,
    '/search',
    '/census',
    '/census-logs',
    '/census-unit',
    '/census-summary',
  ])('%s is answered from the device', (path) => {
    expect(isAppPath(path)).toBe(true);
  });

  it.each([
    '/api',
    '/api/user',
    '/app/wardline',
    '/broadcasting/auth',
    '/sanctum/csrf-cookie',
    '/login',
    '/logout',
    '/config.json',
    '/verify-email/1/abc',
    '/mailbox',
    '/mailbox/7',
    '/_img/w_200/x.png',
    '/icons/_nuxt_icon/lucide.json',
    '/storage/x.png',
    '/chatter',
    '/unknown',
    '/chat/f-0197',
    `/chat/f-${id}/c-0198`,
    '/password-reset/short',
  ])('F-C5 NAV-8 %s is left to the server', (path) => {
    expect(isAppPath(path)).toBe(false);
  });
});

describe('SHELL-2 which file shows a page', () => {
  it.each([
    ['/', '/index.html'],
    ['/about', '/about/index.html'],
    ['/dashboard', '/shell.html'],
    ['/chat/f-1', '/shell.html'],
  ])('%s is shown by %s', (path, file) => {
    expect(pageFile(path)).toBe(file);
  });

  it('NAV-2 pages for guests are rendered ahead, so that they can be held back', () => {
    for (const path of guestPaths) expect(prerenderPaths).toContain(path);
  });

  it('NAV-9 every route has its place in the lists, and nothing else has', () => {
    const routes = readdirSync(new URL('../../routes', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => `/${file.slice(0, -'.tsx'.length)}`.replaceAll('.', '/'))
      .filter((path) => !path.endsWith('/__root'));
    // A name that starts with a line is a layout and not part of the address; one that ends with it lies in no other's layout.
    const addressOf = (path: string) =>
      path
        .replace(/\/_\w+/g, '')
        .replace(/_(?=\/)/g, '')
        .replace(/\/index$/, '') || '/';
    const pages = routes.map(addressOf).map(named);
    expect([...new Set(pages)].sort()).toEqual([...prerenderPaths, ...shellPaths].sort());
  });
});

/** The router's placeholders as the lists write them. */
function named(path: string): string {
  return path.replace('$hash', '{hash}').replace(/\{\$\w+\}/g, '{id}');
}
