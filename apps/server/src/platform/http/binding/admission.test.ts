import { getCsrfCookie } from '@wardline/contract/account/auth.ts';
import { listMessages } from '@wardline/contract/chat/chat.ts';
import { appendUpload } from '@wardline/contract/chat/uploads.ts';
import { expect, it, vi } from 'vitest';
import type { Database } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { createHttpServer } from '#/platform/http/edge/create-http-server.ts';
import { createPersonLimits, ratesFor } from '#/platform/http/person-limits.ts';
import { publicRoute, route, streamRoute } from '#/platform/http/route.ts';
import { createDeviceCookie, createLinkCookie, createSessionCookies } from '#/platform/http/session-cookie.ts';
import { createLog } from '#/platform/log.ts';
import { bindRoutes } from './bind-routes.ts';
import { acceptStream } from './read-file.ts';

const ID = '0197a5c0-0000-7000-8000-000000000001';

/** A server that is full, where nobody is signed in. */
function fullServer() {
  const log = createLog('silent');
  const error = vi.spyOn(log, 'error');
  const app = createHttpServer({ log, secure: false, trustedProxyHops: 0 });
  acceptStream(app, appendUpload);
  const never = () => Promise.reject(new Error('nobody is signed in'));
  const routes = [
    route(listMessages, never),
    streamRoute(appendUpload, never),
    publicRoute(getCsrfCookie, async () => undefined),
  ];
  bindRoutes(app, routes, {
    db: {} as Database,
    log,
    cookies: createSessionCookies(Buffer.from('a key'), false),
    linkCookie: createLinkCookie(false),
    deviceCookie: createDeviceCookie(false),
    publish: () => undefined,
    noteReads: async () => undefined,
    limits: createPersonLimits(ratesFor(5)),
    admission: { run: () => Promise.reject(new AppError('unavailable', { retryAfterS: 1 })) },
    identify: async () => null,
    isAllowedOrigin: () => true,
    isClientOrigin: () => false,
  });
  return { app, error };
}

it('R10 a full server tells the signed-in to come again, before it asks who they are', async () => {
  const answer = await fullServer().app.inject({ method: 'GET', url: `/api/chats/${ID}/messages` });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('1');
});

it('R10 what is for anybody, and files, which a slow line draws out, take no place in a full server', async () => {
  const { app } = fullServer();
  expect((await app.inject({ method: 'GET', url: '/sanctum/csrf-cookie' })).statusCode).toBe(204);
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const upload = await app.inject({ method: 'PATCH', url: `/api/uploads/${ID}`, headers, payload: 'x' });
  expect(upload.statusCode).toBe(401);
});

it('R10 of many who are told to come again in a moment the log has one line', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const { app, error } = fullServer();
  for (let n = 0; n < 5; n++) await app.inject({ method: 'GET', url: `/api/chats/${ID}/messages` });
  expect(error.mock.calls).toMatchObject([[{ refused: 1 }, 'requests are told to come again']]);
  vi.restoreAllMocks();
});
