import { describe, expect, it } from 'vitest';
import { isAppPath } from './app-paths.ts';

describe('PWA-5 the worker answers navigations to the app alone', () => {
  it.each(['/', '/sign-in', '/dashboard', '/chats', '/chat', '/403', '/chat/f-0197/c-0198'])(
    '%s is answered from the device',
    (path) => {
      expect(isAppPath(path)).toBe(true);
    },
  );

  it.each([
    '/api',
    '/api/user',
    '/app/wardline',
    '/broadcasting/auth',
    '/sanctum/csrf-cookie',
    '/login',
    '/logout',
    '/config.json',
    '/verify-email/1/abc',
    '/chatter',
    '/unknown',
  ])('%s is left to the server', (path) => {
    expect(isAppPath(path)).toBe(false);
  });
});
