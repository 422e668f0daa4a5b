import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paceFrames } from './pace-frames.ts';
import type { ConnectionState } from './transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is handed on, and the task in which it was: `0: a` at the beginning. */
function pace(isHidden = (): boolean => false) {
  const start = Date.now();
  const told: string[] = [];
  const tell = (what: string) => void told.push(`${Date.now() - start}: ${what}`);
  const events = paceFrames(
    {
      onFrame: ({ event }) => tell(event),
      onState: (state) => tell(state),
      onRefused: (channel) => tell(`${channel} refused`),
    },
    isHidden,
  );
  const hear = (...names: string[]) => {
    for (const event of names) events.onFrame({ event, channel: 'private-chat.1' });
  };
  return { told, events, hear };
}

describe('PERF-5 frames', () => {
  it('that come close after one another are handed on together, in their order; the first at once', () => {
    const { told, hear } = pace();
    hear('a', 'b', 'c');
    vi.advanceTimersByTime(60);
    hear('d');
    vi.advanceTimersByTime(60);
    hear('e');
    vi.advanceTimersByTime(500);
    hear('f');
    expect(told).toEqual(['0: a', '100: b', '100: c', '100: d', '200: e', '620: f']);
  });

  it('wait for nothing where nobody looks at the page, and nothing that came before them waits longer', () => {
    let isHidden = false;
    const { told, hear } = pace(() => isHidden);
    hear('a', 'b');
    isHidden = true;
    hear('c', 'd');
    expect(told).toEqual(['0: a', '0: b', '0: c', '0: d']);
  });

  it('come before what the protocol, a state or a refusal says after them', () => {
    const { told, events, hear } = pace();
    hear('a', 'b', 'pusher_internal:subscription_succeeded', 'c');
    events.onRefused('private-chat.2', new Error('403'));
    hear('d');
    events.onState('disconnected' as ConnectionState);
    expect(told.map((line) => line.slice(3))).toEqual([
      ...['a', 'b', 'pusher_internal:subscription_succeeded', 'c'],
      ...['private-chat.2 refused', 'd', 'disconnected'],
    ]);
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(7);
  });
});
