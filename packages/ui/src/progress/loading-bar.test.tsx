// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LoadingBar, type LoadingBarProps } from '#/progress/loading-bar.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const bar = (changes: Partial<LoadingBarProps> = {}) => (
  <LoadingBar progress={50} isVisible hasError={false} state="loading" {...changes} />
);

it('LOAD-1 the bar is as long as the progress, shows its state and an error in its colour', () => {
  const { container, rerender } = render(bar());
  const line = container.querySelector<HTMLElement>('.loading-bar');
  expect(line?.style.transform).toBe('scaleX(0.5)');
  expect(line?.dataset['state']).toBe('loading');
  expect(line?.className).toBe('loading-bar is-visible');
  rerender(bar({ progress: 100, state: 'complete', hasError: true }));
  expect(line?.style.transform).toBe('scaleX(1)');
  expect(line?.dataset['state']).toBe('complete');
  expect(line?.className).toBe('loading-bar is-visible is-error');
  rerender(bar({ progress: 0, isVisible: false, state: 'indeterminate' }));
  expect(line?.className).toBe('loading-bar');
});

it('LOAD-1 the bar is not told to assistive technology, only a wait of more than a second is', () => {
  const { container, rerender } = render(bar());
  expect(container.querySelector('.loading-bar')?.getAttribute('aria-hidden')).toBe('true');
  act(() => void vi.advanceTimersByTime(999));
  expect(screen.getByRole('status').textContent).toBe('');
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByRole('status').textContent).toBe('Loading');
  rerender(bar({ isVisible: false }));
  expect(screen.getByRole('status').textContent).toBe('');
  rerender(bar());
  expect(screen.getByRole('status').textContent).toBe('');
});
