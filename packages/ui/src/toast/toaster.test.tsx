// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToastView } from '#/toast/toast-view.ts';
import { swipeDirection } from '#/toast/toast-view.ts';
import { Toaster, type ToasterProps } from '#/toast/toaster.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const toast = (changes: Partial<ToastView> = {}): ToastView => ({
  id: 'a',
  open: true,
  title: 'MED 3A submitted',
  description: 'On time, closing 22.',
  duration: 5000,
  remainingMs: () => 5000,
  isPaused: false,
  ...changes,
});

function show(toasts: readonly ToastView[], changes: Partial<ToasterProps> = {}) {
  const calls = { onClose: vi.fn(), onPause: vi.fn(), onResume: vi.fn() };
  const page = (now: readonly ToastView[]) => (
    <>
      <button type="button">Page</button>
      <Toaster toasts={now} {...calls} {...changes} />
    </>
  );
  const { rerender } = render(page(toasts));
  return { ...calls, change: (now: readonly ToastView[]) => rerender(page(now)) };
}

const card = (title: string) => {
  const found = screen.getByText(title, { selector: '.toast-title' }).closest<HTMLElement>('.toast');
  if (!found) throw new Error(`no toast ${title}`);
  return found;
};
const bar = (title: string) => card(title).querySelector<HTMLElement>('.toast-time > span');
const nextFrame = () => act(() => void vi.advanceTimersToNextFrame());

describe('what is shown', () => {
  it('TOAST-1 toasts stand in their order in one region that says its key', () => {
    show([toast({ id: 'a', title: 'First' }), toast({ id: 'b', title: 'Second' })]);
    const region = screen.getByRole('region', { name: 'Notifications (F8)' });
    expect([...region.querySelectorAll('.toast-title')].map((title) => title.textContent)).toEqual(['First', 'Second']);
    expect(region.querySelector('ol')?.className).toBe('toasts toasts-bottom-right');
  });

  it('TOAST-1 an avatar stands in place of the icon, and a toast without a cross has none', () => {
    show([toast({ avatar: { alt: 'Ana Reyes' }, close: false })]);
    expect(card('MED 3A submitted').querySelector('.avatar-48')?.textContent).toBe('AR');
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  });

  it('TOAST-1 a blank label and an unknown type are errors of the developer', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(() => show([], { label: ' ' })).toThrow(
      'Invalid prop `label` supplied to `ToastProvider`. Expected non-empty `string`.',
    );
    const unknown: unknown = 'loud';
    expect(() => show([toast({ type: unknown as 'foreground' })])).toThrow(
      'Invalid prop `type` supplied to `Toast`. Expected `foreground | background`.',
    );
  });

  it('TOAST-1 the toaster puts no style element on the page, which the content policy would refuse', () => {
    show([toast()]);
    expect(document.querySelectorAll('style')).toHaveLength(0);
  });
});

describe('what is said', () => {
  it.each([
    ['foreground', 'assertive'],
    ['background', 'polite'],
  ] as const)(
    'TOAST-1 a %s toast is announced once, %s, with its label, its words and the other way to act',
    (type, live) => {
      const actions = [{ label: 'Undo', altText: 'Press Ctrl Z to undo' }];
      const { change } = show([toast({ type, actions })]);
      nextFrame();
      nextFrame();
      const said = () => [...document.querySelectorAll('[aria-live]')].filter((element) => element.textContent !== '');
      expect(said().map((element) => element.getAttribute('aria-live'))).toEqual([live]);
      expect(said()[0]?.textContent).toBe('Notification MED 3A submittedOn time, closing 22.Press Ctrl Z to undo');
      act(() => void vi.advanceTimersByTime(1000));
      change([toast({ type, actions, isPaused: true })]);
      expect(said()).toEqual([]);
    },
  );
});

describe('the ways to close', () => {
  it("TOAST-1 the cross says 'Close' and closes its own toast", () => {
    const { onClose } = show([toast({ id: 'a', title: 'First', close: false }), toast({ id: 'b', title: 'Second' })]);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledExactlyOnceWith('b');
  });

  it('TOAST-1 an action acts and closes', () => {
    const onClick = vi.fn();
    const { onClose } = show([toast({ actions: [{ label: 'Compare', altText: 'Compare in the form', onClick }] })]);
    fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
    expect(onClick).toHaveBeenCalledOnce();
    expect(onClose).toHaveBeenCalledExactlyOnceWith('a');
  });

  it('TOAST-1 Escape closes the toast that has the focus', () => {
    const { onClose } = show([toast({ id: 'a', title: 'First' }), toast({ id: 'b', title: 'Second' })]);
    act(() => card('First').focus());
    fireEvent.keyDown(card('First'), { key: 'Escape' });
    expect(onClose).toHaveBeenCalledExactlyOnceWith('a');
  });

  it('TOAST-1 a swipe of more than 50 px towards the edge closes, a shorter one and one the other way do not', () => {
    const { onClose } = show([toast()]);
    const element = card('MED 3A submitted');
    Object.assign(element, { setPointerCapture: vi.fn(), hasPointerCapture: () => false });
    const swipe = (clientX: number) => {
      fireEvent.pointerDown(element, { button: 0, clientX: 0, clientY: 0 });
      fireEvent.pointerMove(element, { clientX, clientY: 0 });
      fireEvent.pointerUp(element, { clientX, clientY: 0 });
    };
    swipe(-80);
    swipe(49);
    expect(onClose).not.toHaveBeenCalled();
    swipe(51);
    expect(onClose).toHaveBeenCalledExactlyOnceWith('a');
  });

  it.each([
    ['top-left', 'left'],
    ['bottom-left', 'left'],
    ['top-right', 'right'],
    ['bottom-right', 'right'],
    ['top-center', 'up'],
    ['bottom-center', 'down'],
  ] as const)('TOAST-1 at %s a toast is thrown out %s', (position, direction) => {
    expect(swipeDirection(position)).toBe(direction);
  });
});

describe('attention', () => {
  it('TOAST-1 the clocks stop while the pointer is over the toasts, once, and go on when it leaves', () => {
    const { onPause, onResume } = show([toast()]);
    fireEvent.pointerMove(card('MED 3A submitted'));
    fireEvent.pointerMove(card('MED 3A submitted'));
    expect(onPause).toHaveBeenCalledOnce();
    expect(onResume).not.toHaveBeenCalled();
    fireEvent.pointerMove(screen.getByText('Page'));
    expect(onResume).toHaveBeenCalledOnce();
  });

  it('TOAST-1 F8 brings the focus to the toasts and stops the clocks until it leaves', () => {
    const { onPause, onResume } = show([toast()]);
    fireEvent.keyDown(document.body, { key: 'F8', code: 'F8' });
    expect(screen.getByRole('region').querySelector('ol')).toBe(document.activeElement);
    expect(onPause).toHaveBeenCalledOnce();
    fireEvent.pointerMove(card('MED 3A submitted'));
    fireEvent.pointerMove(screen.getByText('Page'));
    expect(onResume).not.toHaveBeenCalled();
    act(() => screen.getByText('Page').focus());
    expect(onResume).toHaveBeenCalledOnce();
  });

  it('TOAST-1 the clocks stop while the window is left', () => {
    const { onPause, onResume } = show([toast()]);
    fireEvent.blur(window);
    expect(onPause).toHaveBeenCalledOnce();
    fireEvent.focus(window);
    expect(onResume).toHaveBeenCalledOnce();
  });

  it('TOAST-1 when the last toast goes the clocks are free again and the focus is where it was', () => {
    const { onResume, change } = show([toast()]);
    screen.getByText('Page').focus();
    act(() => card('MED 3A submitted').focus());
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('region').contains(document.activeElement)).toBe(true);
    change([]);
    expect(document.activeElement).toBe(screen.getByText('Page'));
    expect(onResume).toHaveBeenCalledOnce();
  });
});

describe('the bar', () => {
  it('TOAST-1 the bar runs down with what is left, and stands while paused', () => {
    let left = 5000;
    const remainingMs = () => left;
    const { change } = show([toast({ remainingMs })]);
    expect(bar('MED 3A submitted')?.style.transform).toBe('scaleX(1)');
    left = 2500;
    nextFrame();
    expect(bar('MED 3A submitted')?.style.transform).toBe('scaleX(0.5)');
    change([toast({ remainingMs, isPaused: true })]);
    left = 0;
    nextFrame();
    expect(bar('MED 3A submitted')?.style.transform).toBe('scaleX(0.5)');
  });

  it('TOAST-1 a toast that stays has no bar', () => {
    show([
      toast({ id: 'a', title: 'No end', duration: Number.POSITIVE_INFINITY }),
      toast({ id: 'b', title: 'Not begun', remainingMs: () => null }),
    ]);
    expect(bar('No end')).toBeNull();
    expect(bar('Not begun')).toBeNull();
  });

  it('TOAST-1 the bar stands still for who wants no motion', () => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduce') }));
    show([toast({ remainingMs: () => 1000 })]);
    nextFrame();
    expect(bar('MED 3A submitted')?.style.transform).toBe('');
    vi.unstubAllGlobals();
  });
});
