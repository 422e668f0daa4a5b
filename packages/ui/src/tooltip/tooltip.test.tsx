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

test('TIP-1: touch opens nothing, and a control that is pressed or left in time does not either', () => {
  const isOpen = () => screen.queryByRole('tooltip') !== null;
  fireEvent.pointerMove(button('First'), { pointerType: 'touch' });
  pass(2000);
  expect(isOpen()).toBe(false);
  fireEvent.pointerLeave(button('First'));
  rest('First');
  pass(699);
  fireEvent.pointerLeave(button('First'));
  pass(2000);
  expect(isOpen()).toBe(false);
  rest('First');
  fireEvent.pointerDown(button('First'));
  act(() => button('First').focus());
  pass(2000);
  expect(isOpen()).toBe(false);
});

test('TIP-1: the pointer can go into the tooltip, which closes when it was left for 300 ms', () => {
  rest('First');
  pass(700);
  fireEvent.pointerLeave(button('First'));
  pass(299);
  fireEvent.pointerEnter(screen.getByRole('tooltip'));
  pass(5000);
  expect(screen.getByRole('tooltip').textContent).toBe('Exact time');
  fireEvent.pointerLeave(screen.getByRole('tooltip'));
  pass(299);
  expect(screen.queryByRole('tooltip')).not.toBeNull();
  pass(1);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('TIP-1: one tooltip is open at a time', () => {
  act(() => button('First').focus());
  rest('Second');
  expect(screen.getAllByRole('tooltip').map((tip) => tip.textContent)).toEqual(['Second word']);
});

test('TIP-1: a tooltip closes when its control scrolls, is pressed or loses the focus, and when the page is pressed', () => {
  const ends = [
    () => fireEvent.scroll(document),
    () => fireEvent.pointerDown(button('First')),
    () => fireEvent.blur(button('First')),
    () => fireEvent.pointerDown(document.body),
  ];
  for (const end of ends) {
    fireEvent.focus(button('First'));
    expect(screen.getAllByRole('tooltip')).toHaveLength(1);
    end();
    fireEvent.pointerUp(document.body);
    expect(screen.queryByRole('tooltip')).toBeNull();
  }
});

test("TIP-1: Escape is the tooltip's alone: what listens after it knows that it was used", () => {
  const used: boolean[] = [];
  const listen = (event: Event) => used.push(event.defaultPrevented);
  document.addEventListener('keydown', listen);
  act(() => button('First').focus());
  fireEvent.keyDown(button('First'), { key: 'Escape' });
  fireEvent.keyDown(button('First'), { key: 'Escape' });
  document.removeEventListener('keydown', listen);
  expect(used).toEqual([true, false]);
});

test('TIP-1: keyboard focus opens a tooltip at once and Escape closes it', () => {
  act(() => button('First').focus());
  expect(screen.getByRole('tooltip').textContent).toBe('Exact time');
  expect(button('First').getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
});
