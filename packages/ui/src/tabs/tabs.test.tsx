// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { LinkTabs } from './link-tabs.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const pages = ['/accounts', '/jobs', '/health'].map((href) => ({ href, label: href.slice(1) }));

/** A row of 200 px with tabs of 100, as it is scrolled. */
function layOut() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const index = pages.findIndex(({ href }) => href === this.getAttribute('href'));
    const row = this.closest('nav');
    const left = index < 0 ? 0 : index * 100 - (row?.scrollLeft ?? 0);
    return new DOMRect(left, 0, index < 0 ? 200 : 100, 40);
  });
}

it.each([
  ['/accounts', 0],
  ['/jobs', 0],
  ['/health', 124],
])('the tab of the open page is in view where the row is too long for a phone: %s', (open, scrolled) => {
  layOut();
  render(<LinkTabs label="System" pages={pages} open={open} />);
  expect(screen.getByRole('navigation').scrollLeft).toBe(scrolled);
});

it('the row follows to the page that is opened next', () => {
  layOut();
  const { rerender } = render(<LinkTabs label="System" pages={pages} open="/health" />);
  rerender(<LinkTabs label="System" pages={pages} open="/accounts" />);
  expect(screen.getByRole('navigation').scrollLeft).toBeLessThanOrEqual(0);
});
