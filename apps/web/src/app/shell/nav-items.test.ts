import { describe, expect, it } from 'vitest';
import { navItems } from './nav-items.ts';

const labels = (permissions: string[]) =>
  navItems({ path: '/dashboard', unreadChats: 0, permissions }).map(({ label, href }) => `${label} ${href}`);

describe('NAV-5 the way to the census', () => {
  it('NAV-5 is not shown to somebody without any of the four permissions', () => {
    expect(labels(['chats.create', 'members.manage'])).toEqual([
      'Dashboard /dashboard',
      'Chats /chats',
      'People /people',
      'Settings /settings',
    ]);
  });

  it.each([
    [['census.report_units'], '/census-unit'],
    [['census.logs', 'census.report_summary'], '/census-summary'],
    [['census.logs', 'census.view'], '/census'],
  ])('NAV-5 leads somebody with %j to the first page that is theirs', (permissions, path) => {
    expect(labels(permissions)).toContain(`Census ${path}`);
  });

  it('NAV-5 lists below it only the pages that are theirs, and marks the open one', () => {
    const items = navItems({
      path: '/census-logs',
      unreadChats: 0,
      permissions: ['census.view', 'census.logs'],
    });
    const census = items.find(({ label }) => label === 'Census');
    expect(census?.current).toBe('section');
    expect(census?.children).toEqual([
      { href: '/census', label: 'Board', current: undefined },
      { href: '/census-logs', label: 'Logs', current: 'page' },
    ]);
  });
});
