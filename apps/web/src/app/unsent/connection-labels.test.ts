import { describe, expect, it } from 'vitest';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import { connectionLine, liveness } from './connection-labels.ts';

const nothing = { waiting: 0, failed: 0 };

describe('CHAT-3 PWA-5 F-C1 the line of connection and outbox', () => {
  it.each([
    ['connected', true, 'Live'],
    ['initialized', true, 'Connecting'],
    ['connecting', true, 'Connecting'],
    ['unavailable', true, 'Reconnecting'],
    ['failed', true, 'Not live'],
    ['disconnected', true, 'Not live'],
    ['disconnected', false, 'Offline'],
    ['connected', false, 'Offline'],
  ])('%s, online %s is %s', (state, isOnline, label) => {
    expect(connectionLine({ state, isOnline }, nothing).label).toBe(label);
  });

  it('F-C1 a socket that is refused for good is not said to be reconnecting', () => {
    const found = ['failed', 'disconnected'].map((state) => liveness({ state, isOnline: true }));
    expect(found).toEqual(['blocked', 'refused']);
  });

  it('counts what waits and what failed', () => {
    const offline = { state: 'unavailable', isOnline: false };
    expect(connectionLine(offline, { waiting: 3, failed: 0 })).toEqual({
      tone: 'neutral',
      label: 'Offline · 3 waiting',
    });
    expect(connectionLine(offline, { waiting: 1, failed: 2 })).toEqual({
      tone: 'error',
      label: 'Offline · 1 waiting · 2 not sent',
    });
  });

  it.each([
    [1, ['message'], '1 message'],
    [3, ['message'], '3 messages'],
    [1, ['census-report'], '1 report'],
    [2, ['message', 'census-report'], '2 items'],
  ])('CEN-2 says what waits: %i of %j is %s', (count, kinds, text) => {
    expect(formatUnsent(count, kinds)).toBe(text);
  });
});
