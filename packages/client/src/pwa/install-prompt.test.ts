import { describe, expect, it, vi } from 'vitest';
import { catchInstallEvent } from './early-install-event.ts';
import { createInstallPrompt, type InstallHost } from './install-prompt.ts';

const CHROME =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1';
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
const IN_AN_APP = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

const chosen = { outcome: 'accepted', platform: 'web' } as const;

function offerEvent() {
  const event = new Event('beforeinstallprompt', { cancelable: true });
  return Object.assign(event, { prompt: vi.fn(async () => undefined), userChoice: Promise.resolve(chosen) });
}

function setUp(change: Partial<InstallHost> & { stored?: string; isStandalone?: boolean } = {}) {
  const store = new Map(change.stored === undefined ? [] : [['wardline-hide-install', change.stored]]);
  const media = Object.assign(new EventTarget(), { matches: change.isStandalone === true });
  const events = change.events ?? new EventTarget();
  const prompt = createInstallPrompt({
    storage: () => ({ getItem: (key) => store.get(key) ?? null, setItem: (key, value) => void store.set(key, value) }),
    matchMedia: () => media as unknown as MediaQueryList,
    navigator: { userAgent: CHROME },
    ...change,
    events,
  });
  const offer = () => {
    const event = offerEvent();
    events.dispatchEvent(event);
    return event;
  };
  return { prompt, events, store, media, offer };
}

describe('where a browser offers to install', () => {
  it('PWA-3 the offer is kept, and installing answers what the person chose', async () => {
    const { prompt, offer } = setUp();
    expect(prompt.get()).toEqual({ isOffered: false, steps: [], isInstalled: false });
    const event = offer();
    expect(event.defaultPrevented).toBe(true);
    expect(prompt.get().isOffered).toBe(true);
    const answer = prompt.install();
    expect(prompt.get().isOffered).toBe(false);
    expect(await answer).toEqual(chosen);
    expect(event.prompt).toHaveBeenCalledTimes(1);
    expect(await prompt.install()).toBeUndefined();
  });

  it('PWA-3 an offer made before the app had started is not lost', async () => {
    const events = new EventTarget();
    const early = catchInstallEvent(events);
    const event = offerEvent();
    events.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    const { prompt } = setUp({ events, early });
    expect(prompt.get().isOffered).toBe(true);
    expect(await prompt.install()).toEqual(chosen);
  });

  it('PWA-3 a dismissal is remembered, and the offer is hidden from then on', () => {
    const { prompt, store, offer } = setUp();
    offer();
    prompt.cancel();
    expect(prompt.get().isOffered).toBe(false);
    expect(store.get('wardline-hide-install')).toBe('true');
    offer();
    expect(prompt.get().isOffered).toBe(false);
  });

  it('PWA-3 a dismissal of an earlier visit hides the offer, also an early one', () => {
    const events = new EventTarget();
    const early = catchInstallEvent(events);
    events.dispatchEvent(offerEvent());
    const { prompt, offer } = setUp({ events, early, stored: 'true' });
    expect(prompt.get().isOffered).toBe(false);
    expect(offer().defaultPrevented).toBe(false);
    expect(prompt.get().isOffered).toBe(false);
  });

  it('PWA-3 a closed storage costs only the memory of a dismissal', () => {
    const { prompt, offer } = setUp({
      storage: () => {
        throw new Error('closed');
      },
    });
    offer();
    expect(prompt.get().isOffered).toBe(true);
    prompt.cancel();
    expect(prompt.get().isOffered).toBe(false);
  });
});

describe('an installed app', () => {
  it('PWA-3 hides the offer as soon as it is installed', () => {
    const { prompt, events, offer } = setUp();
    offer();
    events.dispatchEvent(new Event('appinstalled'));
    expect(prompt.get()).toEqual({ isOffered: false, steps: [], isInstalled: true });
  });

  it('PWA-3 offers nothing when it runs in its own window', () => {
    const { prompt, offer } = setUp({ isStandalone: true });
    offer();
    expect(prompt.get()).toEqual({ isOffered: false, steps: [], isInstalled: true });
  });

  it('PWA-3 is noticed when the page moves into its own window', () => {
    const { prompt, media, offer } = setUp();
    offer();
    media.matches = true;
    media.dispatchEvent(new Event('change'));
    expect(prompt.get()).toEqual({ isOffered: false, steps: [], isInstalled: true });
  });
});

describe('iOS, which has no prompt', () => {
  it.each([
    ['an iPhone', { userAgent: IPHONE }],
    ['an iPad', { userAgent: IPAD, maxTouchPoints: 5 }],
  ])('PWA-3 %s gets the steps, until they are dismissed', (_device, navigator) => {
    const { prompt } = setUp({ navigator });
    expect(prompt.get().isOffered).toBe(true);
    expect(prompt.get().steps[1]).toBe('Choose ‘Add to Home Screen’.');
    prompt.cancel();
    expect(prompt.get()).toEqual({ isOffered: false, steps: [], isInstalled: false });
    expect(setUp({ navigator, stored: 'true' }).prompt.get().isOffered).toBe(false);
  });

  it.each([
    ['a Mac', { userAgent: IPAD, maxTouchPoints: 0 }],
    ['a browser inside another app', { userAgent: IN_AN_APP }],
    ['the app on the home screen', { userAgent: IPHONE, standalone: true }],
  ])('PWA-3 %s gets no steps', (_device, navigator) => {
    expect(setUp({ navigator }).prompt.get()).toMatchObject({ isOffered: false, steps: [] });
  });
});
