import * as argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { createPasswords } from './passwords.ts';

vi.mock(import('@node-rs/argon2'), async (original) => {
  const actual = await original();
  return { ...actual, hash: vi.fn(actual.hash), verify: vi.fn(actual.verify) };
});
const { parseOptions } = argon2;
const [hash, verify] = [vi.mocked(argon2.hash), vi.mocked(argon2.verify)];

const APP_KEY = Buffer.from('a key that is only for this test');
const CHEAP = { memoryKib: 8, passes: 1 };

describe('passwords', () => {
  it('A8 hashes with argon2id at 64 MiB, three passes and one lane, and knows its own', async () => {
    const passwords = createPasswords(APP_KEY);
    const hash = await passwords.hash('correct horse battery');
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(parseOptions(hash)).toMatchObject({ memoryCost: 65_536, timeCost: 3, parallelism: 1, outputLen: 32 });
    expect(await passwords.verify(hash, 'correct horse battery')).toBe(true);
    expect(await passwords.verify(hash, 'correct horse batterz')).toBe(false);
    expect(passwords.isOutdated(hash)).toBe(false);
    expect(createPasswords(APP_KEY, CHEAP).isOutdated(hash)).toBe(true);
  });

  it('A8 makes a stolen hash useless without the app key', async () => {
    const hash = await createPasswords(APP_KEY, CHEAP).hash('correct horse battery');
    const elsewhere = createPasswords(Buffer.from('the key of another installation!'), CHEAP);
    expect(await elsewhere.verify(hash, 'correct horse battery')).toBe(false);
  });

  it('ACC-2 takes a letter however the keyboard composes it', async () => {
    const passwords = createPasswords(APP_KEY, CHEAP);
    const hash = await passwords.hash('Käse und Brötchen');
    expect(await passwords.verify(hash, 'Käse und Brötchen'.normalize('NFD'))).toBe(true);
  });

  it('A3 does the same work for an unknown address as for a wrong password, the first time too', async () => {
    const stored = await createPasswords(APP_KEY, CHEAP).hash('correct horse battery');
    const workOf = async (against: string | null) => {
      vi.clearAllMocks();
      expect(await createPasswords(APP_KEY, CHEAP).verify(against, 'wrong horse')).toBe(false);
      const verified = verify.mock.calls.map(([of, given]) => ({ cost: parseOptions(of), given }));
      return { verified, hashed: hash.mock.calls.length };
    };
    const known = await workOf(stored);
    expect(known).toMatchObject({ verified: [{ cost: { memoryCost: 8, timeCost: 1 } }], hashed: 0 });
    expect(await workOf(null)).toEqual(known);
  });

  it('M7 hashes four at once, lets 64 wait and sends the next away with 503 and a time', async () => {
    const passwords = createPasswords(APP_KEY, CHEAP);
    const tries = Array.from({ length: 70 }, () => passwords.hash('correct horse battery'));
    const settled = await Promise.allSettled(tries);
    const refused = settled.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', retryAfterS: 2 });
    // The places are free again.
    await expect(passwords.hash('correct horse battery')).resolves.toMatch(/^\$argon2id/);
  });

  it('F-S3 A2 a known device does not wait for the tries of strangers, and is checked where they are sent away', async () => {
    const passwords = createPasswords(APP_KEY, CHEAP);
    const stored = await passwords.hash('correct horse battery');
    const ended: string[] = [];
    const strangers = Array.from({ length: 70 }, () =>
      passwords.verify(stored, 'wrong').then(
        () => ended.push('stranger'),
        () => undefined,
      ),
    );
    const known = await passwords.verify(stored, 'correct horse battery', { isKnownDevice: true });
    expect(known).toBe(true);
    expect(ended.length).toBeLessThan(strangers.length / 2);
    await Promise.all(strangers);
    expect(ended).toHaveLength(68);
  });

  it('F-S7 M7 sends those away with 503 who would wait for more than two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const passwords = createPasswords(APP_KEY, CHEAP);
      hash.mockClear();
      // Slower than anybody waits, until all of them are let go.
      let letGo: (hashed: string) => void = () => undefined;
      const slow = new Promise<string>((resolve) => {
        letGo = resolve;
      });
      hash.mockImplementation(() => slow);
      const tries = Array.from({ length: 10 }, () => passwords.hash('correct horse battery'));
      const settled = Promise.allSettled(tries);
      await vi.advanceTimersByTimeAsync(2_000);
      letGo('hashed');
      const outcomes = (await settled).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code));
      expect(outcomes).toEqual([...Array(4).fill('hashed'), ...Array(6).fill('unavailable')]);
      expect(hash).toHaveBeenCalledTimes(4);
      // Nobody holds a place that went away.
      expect(await Promise.all(Array.from({ length: 8 }, () => passwords.hash('x')))).toEqual(Array(8).fill('hashed'));
    } finally {
      hash.mockReset();
      vi.useRealTimers();
    }
  });
});
