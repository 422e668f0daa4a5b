// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sayPartMissing } from './show-load-error.ts';

const toast = vi.hoisted(() => ({ show: vi.fn() }));
vi.mock(import('#/shared/contexts/show-toast.ts'), async (original) => ({
  ...(await original()),
  showToast: toast.show,
}));

const reload = vi.spyOn(window.location, 'reload');
const answer = vi.fn<() => Promise<{ status: number }>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', answer);
  reload.mockReset();
  answer.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  toast.show.mockReset().mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
  window.sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('PWA-6 R1 the page that stands is not given up while nobody answers, whatever of it is missing', async () => {
  sayPartMissing();
  sayPartMissing();
  await vi.advanceTimersByTimeAsync(60_000);
  answer.mockResolvedValue({ status: 502 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();
  expect(toast.show).toHaveBeenCalledTimes(2);
  answer.mockResolvedValue({ status: 200 });
  toast.show.mockResolvedValue({});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(toast.show, 'said once it can be said').toHaveBeenCalledTimes(3);
  expect(reload).not.toHaveBeenCalled();
});

it('PWA-6 where the words are gone for good the page is loaded in full, and not in a circle', async () => {
  answer.mockResolvedValue({ status: 200 });
  sayPartMissing();
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledOnce();
  // The server knows an address of the app as a page only: asked for anything else it is a failure in the console.
  const asPage = expect.objectContaining({ headers: { Accept: 'text/html' } });
  expect(answer).toHaveBeenCalledWith(window.location.href, asPage);
  sayPartMissing();
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledOnce();
});
