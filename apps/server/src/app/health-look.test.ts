import { afterEach, expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { createHealthLook } from './health-look.ts';

afterEach(() => void vi.restoreAllMocks());

it('OPS-9 whether files can be stored, or checked, is known without waiting, and looked at every ten seconds at most', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const probe = vi.fn(async () => undefined);
  const hasFiles = createHealthLook({ look: probe, failing: 'no files', wellAgain: 'files' }, createLog('silent'));
  expect([hasFiles(), hasFiles()]).toEqual([true, true]);
  expect(probe).toHaveBeenCalledTimes(1);
  probe.mockRejectedValueOnce(new Error('the bucket does not answer'));
  clock.mockReturnValue(10_001);
  expect(hasFiles()).toBe(true);
  await vi.waitFor(() => expect(hasFiles()).toBe(false));
  expect(probe).toHaveBeenCalledTimes(2);
  clock.mockReturnValue(20_002);
  expect(hasFiles()).toBe(false);
  await vi.waitFor(() => expect(hasFiles()).toBe(true));
});
