import { describe, expect, it } from 'vitest';
import { DEAF_AFTER_MS, GONE_AFTER_MS, Hearing, SETTLE_MS } from './hearing.ts';

describe('the hearing', () => {
  it('OPS-5 a lost message is noticed by the number of the next, and one that comes again is left out', () => {
    const hearing = new Hearing();
    expect(hearing.take('a', 7, 0)).toBe('next');
    expect(hearing.take('a', 8, 0)).toBe('next');
    expect(hearing.take('b', 1, 0)).toBe('next');
    expect(hearing.take('a', 8, 0)).toBe('again');
    expect(hearing.take('a', 3, 0)).toBe('again');
    expect(hearing.take('a', 10, 0)).toBe('gap');
    expect(hearing.take('a', 11, 0)).toBe('next');
  });

  it('OPS-5 after a cut what others told meanwhile is missing before their next', () => {
    const hearing = new Hearing();
    hearing.take('a', 1, 0);
    hearing.cut();
    expect(hearing.take('a', 3, 10)).toBe('gap');
  });

  it('OPS-5 a process is deaf before its own beat has come back, and when it does so no longer', () => {
    const hearing = new Hearing();
    expect(hearing.isDeaf(0)).toBe(true);
    hearing.takeOwn(1_000);
    expect(hearing.isDeaf(1_000 + DEAF_AFTER_MS)).toBe(false);
    expect(hearing.isDeaf(1_001 + DEAF_AFTER_MS)).toBe(true);
    hearing.takeOwn(10_000);
    hearing.cut();
    expect(hearing.isDeaf(10_000)).toBe(true);
  });

  it('OPS-5 after a cut a process listens for a beat of the others before it counts on what it hears', () => {
    const hearing = new Hearing();
    expect(hearing.isSettled(0)).toBe(false);
    hearing.takeOwn(1_000);
    expect(hearing.isSettled(1_000 + SETTLE_MS - 1)).toBe(false);
    hearing.takeOwn(1_000 + SETTLE_MS);
    expect(hearing.isSettled(1_000 + SETTLE_MS)).toBe(true);
    hearing.cut();
    hearing.takeOwn(5_000);
    expect(hearing.isSettled(5_000)).toBe(false);
  });

  it('RT-2 nobody waits for an answer of a process that is gone, though what it told is remembered', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.take('b', 5, 1);
    expect(hearing.countOthers(DEAF_AFTER_MS)).toBe(2);
    expect(hearing.countOthers(DEAF_AFTER_MS + 1)).toBe(1);
    expect(hearing.take('a', 5, DEAF_AFTER_MS + 1)).toBe('again');
  });

  it('OPS-5 a process that says nothing for some beats is told of once, until it says something again', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.take('b', 5, 1);
    expect(hearing.takeSilent(DEAF_AFTER_MS)).toEqual([]);
    expect(hearing.takeSilent(DEAF_AFTER_MS + 1)).toEqual(['a']);
    expect(hearing.takeSilent(DEAF_AFTER_MS + 1)).toEqual([]);
    hearing.take('a', 6, DEAF_AFTER_MS + 2);
    expect(hearing.takeSilent(2 * DEAF_AFTER_MS + 3)).toEqual(['a', 'b']);
  });

  it('OPS-5 A44 a process is remembered for as long as what it told could be played again', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.forgetGone(GONE_AFTER_MS);
    expect(hearing.take('a', 5, GONE_AFTER_MS)).toBe('again');
    hearing.forgetGone(GONE_AFTER_MS + 1);
    expect(hearing.take('a', 2, GONE_AFTER_MS + 1)).toBe('next');
  });
});
