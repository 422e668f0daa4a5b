import { describe, expect, it } from 'vitest';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import { connectionLine } from './connection-labels.ts';

const nothing = { waiting: 0, failed: 0 };

describe('CHAT-3 PWA-5 the line of connection and outbox', () => {
  it.each([
    ['connected', true, 'Live'],
    ['initialized', true, 'Connecting'],
    ['connecting', true, 'Connecting'],
    ['unavailable', true, 'Reconnecting'],
    ['failed', true, 'Reconnecting'],
    ['connected', false, 'Offline'],
  ])('%s, online %s is %s', (state, isOnline, label) => {
    expect(connectionLine({ state, isOnline }, nothing).label).toBe(label);
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
