import { describe, expect, it } from 'vitest';
import { sharedByTwo } from '#/platform/http/testing/shared-by-two.ts';
import { createSignInLimits } from './sign-in-limits.ts';

type Limits = ReturnType<typeof createSignInLimits>;

/** Tries `times` times at once; how many were let through to the hashing. */
async function tryTimes(
  limits: Limits,
  times: number,
  from: (turn: number) => { email?: string; ip?: string; device?: string },
) {
  const tries = Array.from({ length: times }, (_, turn) => {
    const { email = 'nurse@ward.test', ip = '192.0.2.7', device = null } = from(turn);
    return limits.begin(email, { ip, device });
  });
  const settled = await Promise.allSettled(tries);
  const refusals = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'too_many_requests' });
  return { allowed: times - refusals.length, retryAfterS: refusals[0]?.retryAfterS };
}

describe('sign-in limits', () => {
  it('A1 lets five tries a minute through per account and address, however parallel', async () => {
    const { allowed, retryAfterS } = await tryTimes(createSignInLimits(), 200, () => ({}));
    expect(allowed).toBe(5);
    expect(retryAfterS).toBeGreaterThan(0);
    expect(retryAfterS).toBeLessThanOrEqual(60);
  });

  it('A39 counts an address written in another case, width or with blanks as the same account', async () => {
    const spellings = ['nurse@ward.test', 'NURSE@ward.test', ' nurse@ward.test ', 'ｎurse@ward.test'];
    const { allowed } = await tryTimes(createSignInLimits(), 40, (turn) => ({ email: spellings[turn % 4] ?? '' }));
    expect(allowed).toBe(5);
  });

  it('A39 takes an IPv6 network of /64 for one address, and IPv4 inside IPv6 for IPv4', async () => {
    const six = await tryTimes(createSignInLimits(), 60, (turn) => ({ ip: `2001:db8:0:1::${turn.toString(16)}` }));
    expect(six.allowed).toBe(5);
    const mapped = await tryTimes(createSignInLimits(), 20, (turn) => ({
      ip: turn % 2 === 0 ? '::ffff:192.0.2.7' : '192.0.2.7',
    }));
    expect(mapped.allowed).toBe(5);
  });

  it('A1 lets 30 failures a minute through per /24, whichever accounts are tried', async () => {
    const { allowed } = await tryTimes(createSignInLimits(), 200, (turn) => ({
      email: `person${turn}@ward.test`,
      ip: `192.0.2.${turn}`,
    }));
    expect(allowed).toBe(30);
  });

  it('AUTH-5 does not count a ward that signs in at the change of shift as an attack', async () => {
    const limits = createSignInLimits();
    for (let person = 0; person < 100; person++) {
      const attempt = await limits.begin(`person${person}@ward.test`, { ip: '192.0.2.7', device: null });
      await attempt.succeeded();
    }
  });

  it('AUTH-5 starts the account anew after a successful sign-in', async () => {
    const limits = createSignInLimits();
    for (let round = 0; round < 5; round++) {
      await tryTimes(limits, 4, () => ({}));
      const attempt = await limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null });
      await attempt.succeeded();
    }
  });

  it('M7 A1 does not count a try whose password was not looked at for want of a turn', async () => {
    const limits = createSignInLimits();
    const busy = new Error('busy');
    for (let turn = 0; turn < 200; turn++) {
      const attempt = await limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null });
      await expect(attempt.notChecked(busy)).rejects.toBe(busy);
    }
    expect((await tryTimes(limits, 20, () => ({}))).allowed).toBe(5);
  });

  it('M7 A1 a try whose password was not looked at delays the next no longer than the failures before it', async () => {
    let nowMs = 0;
    const limits = createSignInLimits({ now: () => nowMs });
    await tryTimes(limits, 1_000, (turn) => ({ ip: `198.51.${turn % 200}.9` }));
    nowMs += 30_000;
    for (let turn = 0; turn < 3; turn++) {
      const attempt = await limits.begin('nurse@ward.test', { ip: `203.0.${turn}.9`, device: null });
      await expect(attempt.notChecked(new Error('busy'))).rejects.toThrow('busy');
    }
    expect((await tryTimes(limits, 1, () => ({ ip: '203.1.1.9' }))).allowed).toBe(1);
    expect((await tryTimes(limits, 1, () => ({ ip: '203.1.2.9' }))).retryAfterS).toBe(60);
  });

  it('A1 hashes at most 100 of 1,000 wrong tries over 200 addresses, then only after a growing delay', async () => {
    let nowMs = 0;
    const limits = createSignInLimits({ now: () => nowMs });
    const first = await tryTimes(limits, 1_000, (turn) => ({ ip: `198.51.${turn % 200}.9` }));
    expect(first.allowed).toBe(100);
    const delays: number[] = [];
    for (let round = 0; round < 8; round++) {
      const refused = await tryTimes(limits, 1, () => ({ ip: `203.0.${round}.9` }));
      expect(refused.allowed).toBe(0);
      delays.push(refused.retryAfterS);
      nowMs += refused.retryAfterS * 1000;
      expect((await tryTimes(limits, 1, () => ({ ip: `203.1.${round}.9` }))).allowed).toBe(1);
    }
    expect(delays).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('A1 OPS-5 wrong tries at two servers are delayed together from the hundredth on, until one is right at either or none was for a day', async () => {
    let nowMs = 0;
    const servers = sharedByTwo().map((share) => createSignInLimits({ share, now: () => nowMs }));
    const allowedAt = async (server: number, times: number) => {
      const limits = servers[server];
      if (!limits) throw new Error('there are two');
      return (await tryTimes(limits, times, (turn) => ({ ip: `198.51.${turn % 200}.${nowMs % 250}` }))).allowed;
    };
    expect([await allowedAt(0, 60), await allowedAt(1, 1_000), await allowedAt(0, 10)]).toEqual([60, 40, 0]);
    nowMs += 30_001;
    expect([await allowedAt(1, 10), await allowedAt(0, 10)]).toEqual([1, 0]);
    nowMs += 60_001;
    await (await servers[0]?.begin('nurse@ward.test', { ip: '203.0.113.7', device: null }))?.succeeded();
    expect(await allowedAt(1, 150)).toBe(100);
    await expect(servers[1]?.begin('nurse@ward.test', { ip: '203.0.113.7', device: null })).resolves.toHaveProperty(
      'quota',
    );
    nowMs += 24 * 3_600_000 + 1;
    expect([await allowedAt(0, 1), await allowedAt(1, 150)]).toEqual([1, 99]);
  });

  it('A2 lets the nurse in from where she signed in before while a stranger burns her counter', async () => {
    const limits = createSignInLimits();
    await (await limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null })).succeeded();
    await tryTimes(limits, 1_000, (turn) => ({ ip: `198.51.${turn % 200}.9` }));
    await expect(limits.begin('nurse@ward.test', { ip: '203.0.113.1', device: null })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await expect(limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null })).resolves.toHaveProperty('quota');
  });

  it('F-S3 A2 strangers of the same address and network never lock out a device that the account has signed in on', async () => {
    let nowMs = 0;
    const limits = createSignInLimits({ now: () => nowMs });
    await tryTimes(limits, 1_000, (turn) => ({ ip: `192.0.2.${turn % 250}` }));
    await tryTimes(limits, 1_000, (turn) => ({ ip: `198.51.${turn % 200}.9` }));
    await tryTimes(limits, 1_000, () => ({ ip: '192.0.2.7' }));
    nowMs += 1;
    await expect(limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await expect(limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: 'hers' })).resolves.toHaveProperty('quota');
  });

  it('F-S3 A1 a known device has five tries a minute of its own, and its failures are those of no stranger', async () => {
    const limits = createSignInLimits();
    expect((await tryTimes(limits, 100, () => ({ device: 'hers' }))).allowed).toBe(5);
    expect((await tryTimes(limits, 100, () => ({ device: 'another' }))).allowed).toBe(5);
    expect((await tryTimes(limits, 100, () => ({}))).allowed).toBe(5);
  });

  it('F-S3 A2 an address that the account was signed in from answers to none of its network', async () => {
    const limits = createSignInLimits();
    await (await limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null })).succeeded();
    await tryTimes(limits, 200, (turn) => ({ email: `person${turn}@ward.test`, ip: `192.0.2.${100 + (turn % 100)}` }));
    await expect(limits.begin('doctor@ward.test', { ip: '192.0.2.7', device: null })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await expect(limits.begin('nurse@ward.test', { ip: '192.0.2.7', device: null })).resolves.toHaveProperty('quota');
  });

  it('A1 A2 that the nurse signs in meanwhile gives strangers no further guesses; a day later they begin anew', async () => {
    let nowMs = 0;
    const limits = createSignInLimits({ now: () => nowMs });
    const home = { ip: '192.0.2.7', device: null };
    await (await limits.begin('nurse@ward.test', home)).succeeded();
    const guess = (round: number) => tryTimes(limits, 60, (turn) => ({ ip: `198.51.${round * 60 + turn}.9` }));
    let looked = 0;
    for (let round = 0; round < 4; round++) {
      looked += (await guess(round)).allowed;
      nowMs += 1_000;
      await (await limits.begin('nurse@ward.test', { ...home, device: 'hers' })).succeeded();
      await (await limits.begin('nurse@ward.test', home)).succeeded();
    }
    expect(looked).toBe(100);
    nowMs += 25 * 3_600_000;
    expect((await guess(5)).allowed).toBe(60);
  });

  it('A2 who signs in elsewhere after the delay, by the password, ends what strangers have left', async () => {
    let nowMs = 0;
    const limits = createSignInLimits({ now: () => nowMs });
    await tryTimes(limits, 150, (turn) => ({ ip: `198.51.${turn}.9` }));
    nowMs += 31_000;
    await (await limits.begin('nurse@ward.test', { ip: '203.0.113.1', device: null })).succeeded();
    expect((await tryTimes(limits, 50, (turn) => ({ ip: `203.1.${turn}.9` }))).allowed).toBe(50);
  });

  it('A39 keeps no more keys than it was given room for', async () => {
    const limits = createSignInLimits({ keys: 10 });
    await tryTimes(limits, 5, () => ({ ip: '192.0.2.7' }));
    expect((await tryTimes(limits, 1, () => ({ ip: '192.0.2.7' }))).allowed).toBe(0);
    await tryTimes(limits, 50, (turn) => ({ email: `person${turn}@ward.test`, ip: `10.0.${turn}.1` }));
    // The oldest key has been forgotten, so there is room for it again: that is what bounded means.
    expect((await tryTimes(limits, 1, () => ({ ip: '192.0.2.7' }))).allowed).toBe(1);
  });
});
