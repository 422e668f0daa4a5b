import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { swipeDirectionOf, type ToastPosition } from './swipe-direction.ts';
import type { ToastInput } from './toast.ts';
import { createToasts, type Toasts } from './toasts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const titles = (toasts: Toasts) => toasts.get().map((toast) => toast.title);

/** One tick: the next of the queue appears. */
const appear = () => void vi.advanceTimersToNextTimer();

function add(toasts: Toasts, ...names: string[]): string[] {
  const ids = names.map((title) => toasts.add({ title, duration: Number.POSITIVE_INFINITY }).id);
  for (const _name of names) appear();
  return ids;
}

describe('appearing', () => {
  it('TOAST-1 toasts come from a queue, one per tick', () => {
    const toasts = createToasts();
    const seen: string[][] = [];
    toasts.subscribe(() => seen.push(titles(toasts)));
    toasts.add({ title: 'one' });
    toasts.add({ title: 'two' });
    toasts.add({ title: 'three' });
    expect(toasts.get()).toEqual([]);
    vi.advanceTimersToNextTimer();
    expect(titles(toasts)).toEqual(['one']);
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(seen).toEqual([['one'], ['one', 'two'], ['one', 'two', 'three']]);
  });

  it('TOAST-1 the sixth toast drops the oldest at once, without a leave', () => {
    const toasts = createToasts();
    add(toasts, 'a', 'b', 'c', 'd', 'e', 'f');
    expect(titles(toasts)).toEqual(['b', 'c', 'd', 'e', 'f']);
    expect(toasts.get().every((toast) => toast.open)).toBe(true);
  });

  it('TOAST-1 a toast gets an id of its own and every field has its default', () => {
    const toasts = createToasts();
    const toast = toasts.add({ title: 'Saved' });
    expect(toast).toStrictEqual({
      id: expect.any(String),
      open: true,
      type: 'foreground',
      title: 'Saved',
      description: undefined,
      icon: undefined,
      avatar: undefined,
      colour: 'primary',
      actions: [],
      close: 'Close',
      duration: 5000,
      orientation: 'vertical',
    });
    expect(toasts.add({ title: 'Saved' }).id).not.toBe(toast.id);
    appear();
    expect(toasts.get()[0]).toEqual(toast);
  });
});

describe('leaving', () => {
  it('TOAST-1 closing sets open to false and removes the toast 200 ms later', () => {
    const toasts = createToasts();
    const [id = ''] = add(toasts, 'a', 'b');
    toasts.close(id);
    expect(toasts.get().map((toast) => toast.open)).toEqual([false, true]);
    vi.advanceTimersByTime(199);
    expect(titles(toasts)).toEqual(['a', 'b']);
    vi.advanceTimersByTime(1);
    expect(titles(toasts)).toEqual(['b']);
    toasts.close('unknown');
    expect(titles(toasts)).toEqual(['b']);
  });

  it('TOAST-1 a toast closes by itself after 5000 ms', () => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'a' });
    appear();
    vi.advanceTimersByTime(4999);
    expect(toasts.get()[0]?.open).toBe(true);
    expect(toasts.remaining(id)).toBe(1);
    vi.advanceTimersByTime(1);
    expect(toasts.get()[0]?.open).toBe(false);
    expect(toasts.remaining(id)).toBeNull();
    vi.advanceTimersByTime(200);
    expect(toasts.get()).toEqual([]);
  });

  it.each([0, -1, Number.POSITIVE_INFINITY])('TOAST-1 a duration of %s never ends by itself', (duration) => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'a', duration });
    appear();
    vi.advanceTimersByTime(10 * 60_000);
    expect(toasts.get()[0]?.open).toBe(true);
    expect(toasts.remaining(id)).toBeNull();
  });

  it('TOAST-1 clearing empties the list and the queue at once', () => {
    const toasts = createToasts();
    add(toasts, 'a');
    toasts.add({ title: 'b' });
    toasts.clear();
    expect(toasts.get()).toEqual([]);
    vi.runAllTimers();
    expect(toasts.get()).toEqual([]);
  });

  it('TOAST-1 a toast that is closed while it waits in the queue never appears', () => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'a' });
    toasts.add({ title: 'b' });
    toasts.close(id);
    appear();
    expect(titles(toasts)).toEqual(['b']);
  });
});

describe('standing still', () => {
  it('TOAST-1 a pause holds all toasts and keeps what remains of each', () => {
    const toasts = createToasts();
    const first = toasts.add({ title: 'a' });
    appear();
    vi.advanceTimersByTime(2000);
    const second = toasts.add({ title: 'b' });
    appear();
    vi.advanceTimersByTime(1000);
    toasts.pause();
    vi.advanceTimersByTime(60_000);
    expect([toasts.remaining(first.id), toasts.remaining(second.id)]).toEqual([2000, 4000]);
    expect(toasts.isPaused.get()).toBe(true);
    toasts.resume();
    expect(toasts.isPaused.get()).toBe(false);
    vi.advanceTimersByTime(1999);
    expect(toasts.get().map((toast) => toast.open)).toEqual([true, true]);
    vi.advanceTimersByTime(1);
    expect(toasts.get().map((toast) => toast.open)).toEqual([false, true]);
    vi.advanceTimersByTime(2000);
    expect(toasts.get()[0]?.open).toBe(false);
  });

  it('TOAST-1 a toast added in a pause begins its full time at the end of it', () => {
    const toasts = createToasts();
    toasts.pause();
    const { id } = toasts.add({ title: 'a' });
    appear();
    vi.advanceTimersByTime(60_000);
    expect(toasts.get()[0]?.open).toBe(true);
    expect(toasts.remaining(id)).toBeNull();
    toasts.resume();
    expect(toasts.remaining(id)).toBe(5000);
    vi.advanceTimersByTime(5000);
    expect(toasts.get()[0]?.open).toBe(false);
  });

  it('TOAST-1 a second pause or resume changes nothing', () => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'a' });
    appear();
    vi.advanceTimersByTime(1000);
    toasts.resume();
    toasts.pause();
    vi.advanceTimersByTime(1000);
    toasts.pause();
    expect(toasts.remaining(id)).toBe(4000);
  });
});

describe('changing', () => {
  it('TOAST-1 an update changes the given fields, and a new duration begins anew', () => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'Sending', description: 'ward-3.pdf' });
    appear();
    vi.advanceTimersByTime(4000);
    toasts.update(id, { title: 'Sent' });
    expect(toasts.get()[0]).toMatchObject({ title: 'Sent', description: 'ward-3.pdf' });
    expect(toasts.remaining(id)).toBe(1000);
    toasts.update(id, { duration: 3000 });
    expect(toasts.remaining(id)).toBe(3000);
    toasts.update('unknown', { title: 'x' });
    expect(titles(toasts)).toEqual(['Sent']);
  });

  it('TOAST-1 an update reaches a toast that still waits in the queue', () => {
    const toasts = createToasts();
    const { id } = toasts.add({ title: 'Sending' });
    toasts.update(id, { title: 'Sent', duration: 9000 });
    expect(toasts.remaining(id)).toBeNull();
    appear();
    expect(titles(toasts)).toEqual(['Sent']);
    expect(toasts.remaining(id)).toBe(9000);
  });
});

describe('mistakes of whoever writes the call', () => {
  it('TOAST-1 an unknown type is refused, at the start and later', () => {
    const toasts = createToasts();
    const wrong = { title: 'a', type: 'loud' } as unknown as ToastInput;
    const message = 'Invalid prop `type` supplied to `Toast`. Expected `foreground | background`.';
    expect(() => toasts.add(wrong)).toThrow(message);
    const { id } = toasts.add({ title: 'a' });
    expect(() => toasts.update(id, wrong)).toThrow(message);
  });

  it.each(['', '  '])('TOAST-1 a blank label is refused (%j)', (label) => {
    expect(() => createToasts({ label })).toThrow(
      'Invalid prop `label` supplied to `ToastProvider`. Expected non-empty `string`.',
    );
  });

  it('TOAST-1 an action without alt text is refused', () => {
    const toasts = createToasts();
    expect(() => toasts.add({ title: 'a', actions: [{ label: 'Undo', altText: ' ' }] })).toThrow(
      'Missing prop `altText` expected on `ToastAction`',
    );
  });
});

it.each<[ToastPosition | undefined, string]>([
  [undefined, 'right'],
  ['top-center', 'up'],
  ['bottom-center', 'down'],
  ['top-left', 'left'],
  ['bottom-left', 'left'],
  ['top-right', 'right'],
  ['bottom-right', 'right'],
])('TOAST-1 at the position %s a toast is swiped %s', (position, direction) => {
  expect(swipeDirectionOf(position)).toBe(direction);
});
