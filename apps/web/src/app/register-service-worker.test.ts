// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { describe, expect, it, vi } from 'vitest';
import { registerServiceWorker, type ServiceWorkerPlace } from './register-service-worker.ts';

function setUp({ isControlled = true, hasWaiting = false } = {}) {
  const post = vi.fn();
  const registration = Object.assign(new EventTarget(), {
    waiting: hasWaiting ? { postMessage: post } : null,
    installing: null as EventTarget | null,
    update: vi.fn(async () => undefined),
  });
  const register = vi.fn(async (_url: string | URL) => registration);
  const container = Object.assign(new EventTarget(), { controller: isControlled ? {} : null, register });
  const reload = vi.fn();
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(url: string): string }) => rules);
  const watch = registerServiceWorker({
    container: container as unknown as ServiceWorkerContainer,
    trustedTypes: { createPolicy },
    reload,
    onVisible: () => undefined,
  } satisfies ServiceWorkerPlace);
  const installNext = async () => {
    const worker = new EventTarget();
    registration.installing = worker;
    registration.dispatchEvent(new Event('updatefound'));
    registration.waiting = { postMessage: post };
    worker.dispatchEvent(new Event('statechange'));
  };
  const takeControl = () => container.dispatchEvent(new Event('controllerchange'));
  return {
    watch,
    register,
    createPolicy,
    reload,
    post,
    installNext,
    takeControl,
    settled: () => vi.waitFor(() => expect(register).toHaveReturned()),
  };
}

describe('the service worker’s registration', () => {
  it('M8 goes through one policy, which lets through one address', async () => {
    const { register, createPolicy, settled } = setUp();
    await settled();
    expect(register).toHaveBeenCalledWith('/sw.js', { scope: '/' });
    expect(createPolicy).toHaveBeenCalledTimes(1);
    expect(createPolicy.mock.calls[0]?.[0]).toBe('app-sw');
    expect(() => createPolicy.mock.calls[0]?.[1].createScriptURL('https://evil.example/sw.js')).toThrow(TypeError);
  });

  it('PWA-1 tells that new content waits, and a press applies it', async () => {
    const { watch, installNext, post, settled } = setUp();
    await settled();
    await Promise.resolve();
    const told = vi.fn();
    watch.subscribe(told);
    expect(watch.isWaiting()).toBe(false);
    await installNext();
    expect(told).toHaveBeenCalledTimes(1);
    expect(watch.isWaiting()).toBe(true);
    watch.apply();
    expect(post).toHaveBeenCalledWith({ type: 'SKIP_WAITING' });
  });

  it('PWA-1 tells of content that waited before the page was opened', async () => {
    const { watch } = setUp({ hasWaiting: true });
    await vi.waitFor(() => expect(watch.isWaiting()).toBe(true));
  });

  it('PWA-1 is silent at the first install, which replaces nothing', async () => {
    const { watch, installNext, settled } = setUp({ isControlled: false });
    await settled();
    await Promise.resolve();
    await installNext();
    expect(watch.isWaiting()).toBe(false);
  });

  it('PWA-4 a tab that showed the notice reloads once; one that did not stays', async () => {
    const shown = setUp({ hasWaiting: true });
    await vi.waitFor(() => expect(shown.watch.isWaiting()).toBe(true));
    shown.takeControl();
    shown.takeControl();
    expect(shown.reload).toHaveBeenCalledTimes(1);
    const quiet = setUp();
    await quiet.settled();
    quiet.takeControl();
    expect(quiet.reload).not.toHaveBeenCalled();
  });
});
