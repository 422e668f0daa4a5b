// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offerPasskeys } from './offer-passkeys.ts';

/** A browser that lists passkeys, until one is chosen or the ceremony is cancelled. */
const browser = vi.hoisted(() => ({
  canList: true,
  listed: [] as string[],
  choose: (_passkey: object) => {},
  cancel: () => {},
}));
vi.mock('@simplewebauthn/browser', () => ({
  browserSupportsWebAuthnAutofill: async () => browser.canList,
  startAuthentication: ({
    optionsJSON,
    useBrowserAutofill,
  }: {
    optionsJSON: { challenge: string };
    useBrowserAutofill: boolean;
  }) =>
    new Promise((resolve, reject) => {
      if (!useBrowserAutofill) throw new Error('this would open a dialog');
      browser.listed.push(optionsJSON.challenge);
      browser.choose = resolve;
      browser.cancel = () => reject(new Error('aborted'));
    }),
  WebAuthnAbortService: { cancelCeremony: () => browser.cancel() },
}));

let asked = 0;
const ask = async () => ({ challenge: `challenge ${++asked}` });
const setHidden = (isHidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  Object.assign(browser, { canList: true, listed: [] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('ACC-3 gives the passkey that is chosen from the list of the browser', async () => {
  const offered = offerPasskeys({ ask, signal: new AbortController().signal });
  await vi.waitFor(() => expect(browser.listed).toEqual(['challenge 1']));
  browser.choose({ id: 'key' });
  expect(await offered).toEqual({ id: 'key' });
});

it('ACC-3 asks the server for nothing where the browser cannot list passkeys', async () => {
  browser.canList = false;
  expect(await offerPasskeys({ ask, signal: new AbortController().signal })).toBeNull();
  expect(asked).toBe(0);
});

it('ACC-3 A1 renews the challenge before its five minutes are over, and never of a page that nobody sees', async () => {
  const ending = new AbortController();
  const offered = offerPasskeys({ ask, signal: ending.signal });
  await vi.waitFor(() => expect(asked).toBe(1));
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(browser.listed).toEqual(['challenge 1', 'challenge 2']);
  setHidden(true);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(asked).toBe(2);
  setHidden(false);
  await vi.waitFor(() => expect(browser.listed.at(-1)).toBe('challenge 3'));
  ending.abort();
  expect(await offered).toBeNull();
});

it('ACC-3 ends when another way to sign in begins, whether that is by its signal or in the browser', async () => {
  const ending = new AbortController();
  const offered = offerPasskeys({ ask, signal: ending.signal });
  await vi.waitFor(() => expect(asked).toBe(1));
  ending.abort();
  expect(await offered).toBeNull();
  const other = offerPasskeys({ ask, signal: new AbortController().signal });
  await vi.waitFor(() => expect(asked).toBe(2));
  browser.cancel();
  expect(await other).toBeNull();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(asked).toBe(2);
});
