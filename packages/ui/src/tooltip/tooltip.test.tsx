// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tooltip, TooltipProvider } from '#/tooltip/tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <TooltipProvider>
      <Tooltip content="Exact time">
        <button type="button">First</button>
      </Tooltip>
      <Tooltip content="Second word">
        <button type="button">Second</button>
      </Tooltip>
    </TooltipProvider>,
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const button = (name: string) => screen.getByRole('button', { name });
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const rest = (name: string) => fireEvent.pointerMove(button(name), { pointerType: 'mouse' });

test('TIP-1: a tooltip opens when the pointer has rested for 700 ms, not before', () => {
  rest('First');
  pass(699);
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(1);
  expect(screen.getByRole('tooltip').textContent).toBe('Exact time');
});

test('TIP-1: the next tooltip opens at once within 300 ms, and waits again after it', () => {
  rest('First');
  pass(700);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(299);
  rest('Second');
  pass(0);
  expect(screen.getByRole('tooltip').textContent).toBe('Second word');

  fireEvent.keyDown(document.body, { key: 'Escape' });
  pass(301);
  fireEvent.pointerLeave(button('First'));
  rest('First');
  pass(699);
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(1);
  expect(screen.getByRole('tooltip').textContent).toBe('Exact time');
});

test('TIP-1: keyboard focus opens a tooltip at once and Escape closes it', () => {
  act(() => button('First').focus());
  expect(screen.getByRole('tooltip').textContent).toBe('Exact time');
  expect(button('First').getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
});
