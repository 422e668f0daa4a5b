// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UpdateBanner } from './update-banner.tsx';

it('PWA-1 the update banner has its text, and a click applies', () => {
  const updates = { subscribe: () => () => undefined, isWaiting: () => true, apply: vi.fn() };
  render(<UpdateBanner updates={updates} />);
  fireEvent.click(screen.getByRole('button', { name: 'New content found, need refresh' }));
  expect(updates.apply).toHaveBeenCalledTimes(1);
});

it('PWA-1 there is no banner while nothing waits', () => {
  render(<UpdateBanner updates={{ subscribe: () => () => undefined, isWaiting: () => false, apply: vi.fn() }} />);
  expect(screen.queryByRole('button')).toBeNull();
});
