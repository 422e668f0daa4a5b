import { expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { createHttpServer } from './edge/create-http-server.ts';

function serverBehind(trustedProxyHops: number) {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const app = createHttpServer({ log, secure: false, trustedProxyHops });
  app.get('/up', async () => ({}));
  const ask = (headers: Record<string, string>) => app.inject({ method: 'GET', url: '/up', headers });
  return { ask, warn };
}

it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
  'F-S3 the header %s is named once in the log while no proxy is trusted',
  async (header) => {
    const { ask, warn } = serverBehind(0);
    await ask({});
    expect(warn).not.toHaveBeenCalled();
    for (let turn = 0; turn < 3; turn++) await ask({ [header]: '198.51.100.7' });
    expect(warn.mock.calls).toEqual([[{ header }, expect.stringContaining('WARDLINE_TRUSTED_PROXY_HOPS')]]);
  },
);

it('F-S3 a trusted proxy may forward addresses without a word', async () => {
  const { ask, warn } = serverBehind(1);
  await ask({ 'x-forwarded-for': '198.51.100.7' });
  expect(warn).not.toHaveBeenCalled();
});
