import { createBrowserHistory } from '@tanstack/react-router';
import { createOverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import { createOverlays } from '@wardline/client/overlays/overlays.ts';
import { createFakeHistory } from '@wardline/client/testing/fake-history.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The router's own history over a browser's, beneath overlays; at /b, come to from /a. */
async function setUp() {
  vi.stubGlobal('document', {});
  const page = createFakeHistory('/a');
  const overlays = createOverlays({ history: createOverlayHistory(page) });
  const router = createBrowserHistory({ window: page });
  const heard: string[] = [];
  router.subscribe(({ location, action }) => heard.push(`${action.type} ${location.href}`));
  const settle = () => vi.advanceTimersByTimeAsync(20);
  router.push('/b');
  await settle();
  heard.length = 0;
  const dialog = overlays.create((_props: { overlay: never }) => null);
  const back = async () => {
    page.history.back();
    await settle();
  };
  return { page, router, overlays, dialog, heard, settle, back };
}

afterEach(() => void vi.unstubAllGlobals());

it('OVERLAY-1 the router keeps its place, key and index while overlays come and go', async () => {
  const { page, router, overlays, dialog, heard, settle, back } = await setUp();
  const before = router.location;
  void dialog.open();
  await settle();
  expect(page.trail()).toBe('/a /b [/b]');
  await back();
  expect(overlays.isOpen(dialog.id)).toBe(false);
  void dialog.open();
  await settle();
  dialog.close();
  await settle();
  expect(page.trail()).toBe('/a [/b] /b');
  expect(router.location).toBe(before);
  expect(page.history.state).toEqual(before.state);
  expect(heard).toEqual([]);
});

it('OVERLAY-1 the router goes back, on and forward as if there had been no overlay', async () => {
  const { page, router, dialog, heard, settle, back } = await setUp();
  void dialog.open();
  await settle();
  dialog.close();
  router.push('/c');
  await settle();
  expect(page.trail()).toBe('/a /b [/c]');
  expect(router.location.state.__TSR_index).toBe(2);
  await back();
  page.history.forward();
  await settle();
  expect(heard).toEqual(['PUSH /c', 'BACK /b', 'FORWARD /c']);
});

it('OVERLAY-1 a blocker that keeps a person on the page is not asked when an overlay closes, and holds the page', async () => {
  const { page, router, overlays, dialog, settle, back } = await setUp();
  const blockerFn = vi.fn(() => true);
  router.block({ blockerFn });
  void dialog.open();
  await settle();
  await back();
  void dialog.open();
  await settle();
  dialog.close();
  await settle();
  expect(blockerFn).not.toHaveBeenCalled();
  expect(overlays.isOpen(dialog.id)).toBe(false);
  await back();
  expect(blockerFn).toHaveBeenCalledTimes(1);
  expect(page.trail()).toBe('/a [/b] /b');
  await back();
  expect(blockerFn).toHaveBeenCalledTimes(2);
  expect(page.trail()).toBe('/a [/b] /b');
});
