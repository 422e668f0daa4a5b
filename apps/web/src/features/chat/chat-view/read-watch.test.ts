// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadWatch } from './read-watch.ts';

type Report = (changes: Partial<IntersectionObserverEntry>[]) => void;

let report: Report = () => undefined;
let isFocused = true;

beforeEach(() => {
  vi.useFakeTimers();
  isFocused = true;
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (changes: IntersectionObserverEntry[]) => void) {
        report = (changes) => callback(changes as IntersectionObserverEntry[]);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setUp() {
  const onRead = vi.fn();
  const watch = createReadWatch(document.body, onRead);
  const element = document.createElement('li');
  const end = watch.watch(element, 7);
  const show = (ratio: number, target: Element = element) =>
    report([
      {
        target,
        isIntersecting: ratio > 0,
        intersectionRatio: ratio,
        intersectionRect: { height: 10 } as DOMRectReadOnly,
        rootBounds: { height: 400 } as DOMRectReadOnly,
      },
    ]);
  return { onRead, watch, show, end };
}

describe('CHAT-5 reading is 600 ms in view in a focused tab', () => {
  it('counts after 600 ms, not before', () => {
    const { onRead, show } = setUp();
    show(1);
    vi.advanceTimersByTime(599);
    expect(onRead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onRead).toHaveBeenCalledExactlyOnceWith(7);
  });

  it('does not count what flies by, or shows less than half', () => {
    const { onRead, show } = setUp();
    show(1);
    vi.advanceTimersByTime(300);
    show(0);
    vi.advanceTimersByTime(1000);
    show(0.3);
    vi.advanceTimersByTime(1000);
    expect(onRead).not.toHaveBeenCalled();
  });

  it('starts again when the focus was away', () => {
    const { onRead, show } = setUp();
    show(1);
    vi.advanceTimersByTime(400);
    isFocused = false;
    window.dispatchEvent(new Event('blur'));
    vi.advanceTimersByTime(5000);
    expect(onRead).not.toHaveBeenCalled();
    isFocused = true;
    window.dispatchEvent(new Event('focus'));
    vi.advanceTimersByTime(599);
    expect(onRead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onRead).toHaveBeenCalledTimes(1);
  });

  it('a marker only rises', () => {
    const { onRead, watch, show } = setUp();
    const earlier = document.createElement('li');
    watch.watch(earlier, 3);
    show(1);
    vi.advanceTimersByTime(600);
    show(1, earlier);
    vi.advanceTimersByTime(2000);
    expect(onRead.mock.calls).toEqual([[7]]);
  });

  it('a row that is gone is not read', () => {
    const { onRead, show, end } = setUp();
    show(1);
    end();
    vi.advanceTimersByTime(2000);
    expect(onRead).not.toHaveBeenCalled();
  });
});
