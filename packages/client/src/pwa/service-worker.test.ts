import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTime, settle } from '#/testing/settle.ts';
import { registerServiceWorker } from './service-worker.ts';

beforeEach(fakeTime);
afterEach(() => void vi.useRealTimers());

class FakeWorker extends EventTarget {
  state = 'installed';
  readonly postMessage = vi.fn();

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

interface Scene {
  readonly isControlled?: boolean;
  readonly hasActive?: boolean;
  readonly hasWaiting?: boolean;
}

async function setUp({ isControlled = true, hasActive = isControlled, hasWaiting = false }: Scene = {}) {
  const registration = Object.assign(new EventTarget(), {
    waiting: hasWaiting ? new FakeWorker() : null,
    installing: null as FakeWorker | null,
    active: hasActive ? new FakeWorker() : null,
    update: vi.fn(async () => undefined),
  });
  const register = vi.fn(async (_url: string | URL, _options: RegistrationOptions) => registration);
  const container = Object.assign(new EventTarget(), { controller: isControlled ? {} : null, register });
  const reload = vi.fn();
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(url: string): string }) => rules);
  let showPage: () => void = () => undefined;
  const watch = registerServiceWorker({
    container: container as unknown as ServiceWorkerContainer,
    trustedTypes: { createPolicy },
    reload,
    onVisible: (listener) => {
      showPage = listener;
    },
  });
  await settle();
  const installNext = (): FakeWorker => {
    const worker = new FakeWorker();
    registration.installing = worker;
    registration.dispatchEvent(new Event('updatefound'));
    registration.installing = null;
    registration.waiting = worker;
    worker.become('installed');
    return worker;
  };
  const takeControl = async () => {
    container.dispatchEvent(new Event('controllerchange'));
    await settle();
  };
  return { watch, registration, register, createPolicy, reload, installNext, takeControl, showPage: () => showPage() };
}

describe('the registration', () => {
  it('M8 goes through one policy, which lets through nothing but workers of the app', async () => {
    const { register, createPolicy } = await setUp();
    expect(register).toHaveBeenCalledWith('/sw.js', { scope: '/' });
    expect(createPolicy).toHaveBeenCalledTimes(1);
    expect(createPolicy.mock.calls[0]?.[0]).toBe('app-sw');
    const pass = (url: string) => createPolicy.mock.calls[0]?.[1].createScriptURL(url);
    const worker = '/assets/online-pdf-5.6.205/worker.js';
    expect(pass(worker)).toBe(worker);
    for (const url of [
      'https://evil.example/sw.js',
      '//evil.example/sw.js',
      '/assets/../x.js',
      '/storage/x.js',
      'data:,x',
    ]) {
      expect(() => pass(url), url).toThrow(TypeError);
    }
  });
});

describe('new content', () => {
  it('PWA-1 is told of while it waits, and a press applies it', async () => {
    const { watch, installNext } = await setUp();
    const told = vi.fn();
    watch.subscribe(told);
    expect(watch.get().needRefresh).toBe(false);
    const worker = installNext();
    expect(told).toHaveBeenCalledTimes(1);
    expect(watch.get().needRefresh).toBe(true);
    watch.apply();
    expect(worker.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' });
  });

  it('PWA-1 PWA-4 that took over by itself is applied by a press as well, once; without any a press does nothing', async () => {
    const { watch, registration, installNext, reload } = await setUp();
    watch.apply();
    await settle();
    expect(reload).not.toHaveBeenCalled();
    const worker = installNext();
    registration.waiting = null;
    worker.become('activated');
    for (let press = 0; press < 2; press++) watch.apply();
    await settle();
    expect(reload).toHaveBeenCalledTimes(1);
    expect(worker.postMessage).not.toHaveBeenCalled();
  });

  it('PWA-1 is told of when it waited before the page was opened', async () => {
    const { watch } = await setUp({ hasWaiting: true });
    expect(watch.get()).toEqual({ needRefresh: true, isPrompting: true });
  });

  it('PWA-1 is not told of at the first install, which replaces nothing', async () => {
    const { watch, installNext } = await setUp({ isControlled: false });
    installNext();
    expect(watch.get().needRefresh).toBe(false);
  });

  it('PWA-1 is told of on the page of the first visit too, and applying it there reloads', async () => {
    const { watch, installNext, reload } = await setUp({ isControlled: false, hasActive: true });
    const worker = installNext();
    expect(watch.get().needRefresh).toBe(true);
    watch.apply();
    worker.become('activating');
    await settle();
    expect(reload).not.toHaveBeenCalled();
    worker.become('activated');
    await settle();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('PWA-2 the prompt can be cancelled for this page’s life, and the banner stays', async () => {
    const { watch, installNext } = await setUp();
    installNext();
    expect(watch.get().isPrompting).toBe(true);
    watch.cancelPrompt();
    expect(watch.get()).toEqual({ needRefresh: true, isPrompting: false });
    installNext();
    expect(watch.get()).toEqual({ needRefresh: true, isPrompting: false });
  });

  it('PWA-1 is looked for every hour, when the page is shown after longer than that, and on demand', async () => {
    const { watch, registration, showPage } = await setUp();
    vi.advanceTimersByTime(60 * 60 * 1000);
    expect(registration.update).toHaveBeenCalledTimes(1);
    showPage();
    expect(registration.update).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 61 * 60 * 1000);
    showPage();
    expect(registration.update).toHaveBeenCalledTimes(2);
    registration.update.mockRejectedValueOnce(new TypeError('offline'));
    await watch.checkNow();
    expect(registration.update).toHaveBeenCalledTimes(3);
  });
});

describe('the reload', () => {
  it('PWA-4 a tab that showed the notice reloads once; one that did not stays', async () => {
    const shown = await setUp({ hasWaiting: true });
    await shown.takeControl();
    await shown.takeControl();
    expect(shown.reload).toHaveBeenCalledTimes(1);
    const quiet = await setUp();
    await quiet.takeControl();
    expect(quiet.reload).not.toHaveBeenCalled();
  });

  it('PWA-4 waits until what was typed is kept, and does not need every hook to succeed', async () => {
    const { watch, takeControl, reload } = await setUp({ hasWaiting: true });
    let keep: () => void = () => undefined;
    watch.beforeReload(() => {
      throw new Error('broken');
    });
    watch.beforeReload(
      () =>
        new Promise<void>((resolve) => {
          keep = resolve;
        }),
    );
    const undone = vi.fn();
    watch.beforeReload(undone)();
    await takeControl();
    expect(reload).not.toHaveBeenCalled();
    keep();
    await settle();
    expect(reload).toHaveBeenCalledTimes(1);
    expect(undone).not.toHaveBeenCalled();
  });

  it('PWA-4 does not wait longer than 2 s for a hook that hangs', async () => {
    const { watch, takeControl, reload } = await setUp({ hasWaiting: true });
    watch.beforeReload(() => new Promise(() => undefined));
    await takeControl();
    await vi.advanceTimersByTimeAsync(1999);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
