import { describe, expect, it, vi } from 'vitest';
import { followPageLoads } from './follow-page-loads.ts';

function world({ status = 'pending', match = 'success' } = {}) {
  const listeners = new Map<string, (event: { hrefChanged: boolean }) => void>();
  const router = {
    state: { status, matches: [{ status: match }] },
    subscribe: (type: string, listener: (event: { hrefChanged: boolean }) => void) => {
      listeners.set(type, listener);
      return () => listeners.delete(type);
    },
  };
  const bar = { start: vi.fn(), finish: vi.fn() };
  const events = new EventTarget();
  const stop = followPageLoads(router as never, bar, events);
  const tell = (type: 'onBeforeNavigate' | 'onResolved', hrefChanged = true) => listeners.get(type)?.({ hrefChanged });
  const lose = ({ isNeeded = true } = {}) => {
    const event = new Event('vite:preloadError', { cancelable: true });
    if (!isNeeded) event.preventDefault();
    events.dispatchEvent(event);
  };
  return { bar, stop, tell, lose, listeners };
}

describe('LOAD-1 the bar of a navigation', () => {
  it('LOAD-1 runs from its start to its end, and not where the address stays', () => {
    const { bar, tell } = world();
    tell('onBeforeNavigate', false);
    expect(bar.start).not.toHaveBeenCalled();
    tell('onBeforeNavigate');
    expect(bar.start).toHaveBeenCalledTimes(1);
    tell('onResolved');
    expect(bar.finish).toHaveBeenCalledWith({ hasError: false });
  });

  it('LOAD-1 has the error colour where a loader failed', () => {
    const { bar, tell } = world({ match: 'error' });
    tell('onBeforeNavigate');
    tell('onResolved');
    expect(bar.finish).toHaveBeenCalledWith({ hasError: true });
  });

  it('LOAD-1 PWA-6 has the error colour where the code of the page is missing, until the next one', () => {
    const { bar, tell, lose } = world();
    tell('onBeforeNavigate');
    lose();
    tell('onResolved');
    expect(bar.finish).toHaveBeenLastCalledWith({ hasError: true });
    tell('onBeforeNavigate');
    tell('onResolved');
    expect(bar.finish).toHaveBeenLastCalledWith({ hasError: false });
  });

  it.each([
    ['a part of a page that stands', 'idle', true],
    ['a style sheet', 'pending', false],
  ])('LOAD-1 keeps its colour where %s is missing', (_what, status, isNeeded) => {
    const { bar, tell, lose } = world({ status });
    tell('onBeforeNavigate');
    lose({ isNeeded });
    tell('onResolved');
    expect(bar.finish).toHaveBeenCalledWith({ hasError: false });
  });

  it('LOAD-1 is followed no more after the end', () => {
    const { stop, listeners } = world();
    stop();
    expect(listeners.size).toBe(0);
  });
});
