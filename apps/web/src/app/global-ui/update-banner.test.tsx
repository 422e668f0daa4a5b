// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UpdateBanner } from './update-banner.tsx';

function withRefresh(needRefresh: boolean) {
  const state = { needRefresh, isPrompting: needRefresh };
  return { get: () => state, subscribe: () => () => undefined, apply: vi.fn() };
}

it('PWA-1 the update banner has its text, and a click applies', () => {
  const updates = withRefresh(true);
  render(<UpdateBanner updates={updates} />);
  fireEvent.click(screen.getByRole('button', { name: 'New content found, need refresh' }));
  expect(updates.apply).toHaveBeenCalledTimes(1);
});

it('PWA-1 there is no banner while nothing waits', () => {
  render(<UpdateBanner updates={withRefresh(false)} />);
  expect(screen.queryByRole('button')).toBeNull();
});
