import { describe, expect, it, vi } from 'vitest';
import { noteDelivered } from './note-delivered.ts';

const echo = { key: 'wardline' };
const fetched = () => vi.fn<typeof fetch>(async () => new Response(null, { status: 204 }));
const cookiesOf = (all: Record<string, string>) => ({
  get: async (name: string) => (name in all ? { value: all[name] } : null),
});

describe('URG-1 a device that shows a call, without a page', () => {
  it('tells the back end with the cookies of the person', async () => {
    const fetch = fetched();
    await noteDelivered('n-1', { config: { echo }, cookies: cookiesOf({ 'XSRF-TOKEN': 'a%3D%3D' }), fetch });
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/user/notifications/n-1/delivery', {
      method: 'PUT',
      credentials: 'include',
      headers: { Accept: 'application/json', 'X-XSRF-TOKEN': 'a==' },
      signal: expect.any(AbortSignal),
    });
  });

  it('goes to the back end of the configuration, by its names of the CSRF token', async () => {
    const fetch = fetched();
    const config = { echo, base_url: 'https://api.ward.test/', csrf: { cookie: 'TOKEN', header: 'X-TOKEN' } };
    await noteDelivered('n-1', { config, cookies: cookiesOf({ TOKEN: 'abc', 'XSRF-TOKEN': 'other' }), fetch });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://api.ward.test/api/user/notifications/n-1/delivery');
    expect(init?.headers).toMatchObject({ 'X-TOKEN': 'abc' });
  });

  it.each([
    ['the person is known by a token of the page', { echo, mode: 'token' }, cookiesOf({ 'XSRF-TOKEN': 'abc' })],
    ['nobody is signed in', { echo }, cookiesOf({})],
    ['the browser gives its worker no cookies', { echo }, undefined],
  ])('says nothing where %s', async (_, config, cookies) => {
    const fetch = fetched();
    await noteDelivered('n-1', { config, cookies, fetch });
    expect(fetch).not.toHaveBeenCalled();
  });
});
