// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { LayoutDashboard, MessageSquareText } from 'lucide-react';
import { afterEach, expect, test } from 'vitest';
import { AppFrame } from '#/frame/app-frame.tsx';
import type { NavItem } from '#/frame/nav-item.ts';
import { PageContent } from '#/frame/page-content.tsx';
import { TopBar } from '#/frame/top-bar.tsx';
import { type LinkProps, LinkProvider } from '#/link/link.tsx';

afterEach(cleanup);

const items: readonly NavItem[] = [
  { href: '/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  {
    href: '/chats',
    label: 'Chats',
    icon: MessageSquareText,
    current: 'page',
    badge: { count: 120, label: '120 unread' },
  },
];

function RouterLink(props: LinkProps) {
  return <a {...props} data-router="" />;
}

function renderFrame() {
  render(
    <LinkProvider component={RouterLink}>
      <AppFrame productName="Product" homeHref="/" items={items}>
        <TopBar title="Chats" back={{ href: '/dashboard', label: 'Back to dashboard' }} />
        <PageContent>The page</PageContent>
      </AppFrame>
    </LinkProvider>,
  );
}

test("SHELL-7: 'Skip to content' is the first stop of the keyboard and leads to the page", () => {
  renderFrame();
  const stops = document.querySelectorAll('a, button');
  expect(stops[0]?.textContent).toBe('Skip to content');
  fireEvent.click(screen.getByText('Skip to content'));
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('SHELL-8: rail and bottom bar hold the same entries, say where one is and how many wait', () => {
  renderFrame();
  for (const name of ['Pages', 'Pages, bottom']) {
    const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/dashboard', '/chats']);
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'page']);
    expect(links[1]?.textContent).toContain('120 unread');
  }
});

test('SHELL-7: every link of the frame is the one the router gave', () => {
  renderFrame();
  const links = screen.getAllByRole('link').filter((link) => link.textContent !== 'Skip to content');
  expect(links.length).toBeGreaterThan(4);
  expect(links.every((link) => link.hasAttribute('data-router'))).toBe(true);
  expect(screen.getByRole('link', { name: 'Back to dashboard' }).getAttribute('href')).toBe('/dashboard');
});
