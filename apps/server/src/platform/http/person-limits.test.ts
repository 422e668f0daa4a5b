import { describe, expect, it } from 'vitest';
import { createPersonLimits, ratesFor } from './person-limits.ts';
import { shareWithNobody } from './rate-limit.ts';
import { sharedByTwo } from './testing/shared-by-two.ts';

const MINUTE_MS = 60_000;

function limitsAt(share = shareWithNobody) {
  let nowMs = 1_000_000;
  const limits = createPersonLimits(ratesFor(5), { share, now: () => nowMs });
  const isAllowed = (kind: Parameters<typeof limits.begin>[0], person = 'ana') => {
    try {
      limits.begin(kind, person);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_many_requests', retryAfterS: expect.any(Number) });
      return false;
    }
  };
  const allowedOf = (times: number, kind: Parameters<typeof limits.begin>[0]) =>
    Array.from({ length: times }, () => isAllowed(kind)).filter(Boolean).length;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { limits, isAllowed, allowedOf, pass };
}

describe('limits of a person', () => {
  it('F-S5 OPS-5 what somebody does at one server counts at the other, where it is of the same kind', () => {
    const [atA, atB] = sharedByTwo().map(limitsAt);
    expect([atA?.allowedOf(20, 'message'), atB?.allowedOf(300, 'message'), atA?.allowedOf(1, 'message')]).toEqual([
      20, 10, 0,
    ]);
    expect([atB?.allowedOf(300, 'write'), atB?.isAllowed('message', 'mira')]).toEqual([60, true]);
    for (const { pass } of [atA, atB].flatMap((at) => at ?? [])) pass(1_000);
    expect([atB?.allowedOf(300, 'message'), atA?.allowedOf(300, 'message')]).toEqual([5, 0]);
  });

  it('F-S5 a burst of 30 messages passes, the next waits, and five a second go on for long', () => {
    const { allowedOf, pass } = limitsAt();
    expect(allowedOf(300, 'message')).toBe(30);
    for (let second = 0; second < 600; second++) {
      pass(1_000);
      expect(allowedOf(10, 'message')).toBe(5);
    }
    pass(MINUTE_MS);
    expect(allowedOf(300, 'message')).toBe(30);
  });

  it('F-S5 who waits as long as they were told is let through', () => {
    const { limits, allowedOf, isAllowed, pass } = limitsAt();
    allowedOf(6, 'import');
    allowedOf(20, 'opening');
    expect(() => limits.begin('opening', 'ana')).toThrow(expect.objectContaining({ retryAfterS: 2 }));
    pass(1_900);
    expect(isAllowed('opening')).toBe(false);
    pass(100);
    expect(isAllowed('opening')).toBe(true);
  });

  it('F-S5 what one person or one kind has used up is there for another', () => {
    const { allowedOf, isAllowed } = limitsAt();
    allowedOf(100, 'message');
    expect(isAllowed('message')).toBe(false);
    expect(isAllowed('message', 'ben')).toBe(true);
    expect(isAllowed('write')).toBe(true);
  });

  it('F-S5 two exports run at once and six in a minute; one that has ended makes room, however often it ends', () => {
    const { limits, isAllowed, pass } = limitsAt();
    const end = limits.begin('export', 'ana');
    limits.begin('export', 'ana');
    expect(isAllowed('export')).toBe(false);
    expect(isAllowed('export', 'ben')).toBe(true);
    end();
    end();
    limits.begin('export', 'ana');
    expect(isAllowed('export')).toBe(false);
    pass(MINUTE_MS);
    expect(isAllowed('export')).toBe(false);
  });
});
