import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OutboundAnswer, OutboundError } from '#/platform/http/outbound.ts';
import { picture, plainPng } from '#/platform/images/testing/pictures.ts';
import { type MediaApp, mediaApp } from './testing/media-app.ts';

const get = vi.fn<(url: URL, mayFollow?: (to: URL) => boolean) => Promise<OutboundAnswer>>();
let media: MediaApp;
beforeAll(async () => {
  media = await mediaApp({ get });
});
afterAll(() => media.close());
beforeEach(() => get.mockReset());
afterEach(() => vi.useRealTimers());

const give = (body: Buffer | string, status = 200) => get.mockResolvedValue({ status, body: Buffer.from(body) });
const ask = (path: string, headers: Record<string, string> = {}) => media.app.inject({ url: path, headers });

describe('a picture of the media host', () => {
  it('IMG-1 comes in the size and format that was asked for, never enlarged, with the headers of a picture', async () => {
    give(await picture({ width: 1000, height: 500, format: 'jpeg' }));
    const response = await ask('/_img/w_640&f_webp&q_80/storage/wards/plan.jpg');
    expect(response.statusCode).toBe(200);
    expect(get.mock.calls.map(([url]) => url.href)).toEqual(['https://media.example/wards/plan.jpg']);
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 640, height: 320 });
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=300',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const large = await ask('/_img/w_1536/storage/wards/plan.jpg');
    expect(await sharp(large.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1000, height: 500 });
  });

  it('IMG-1 is fetched once for the same wish, however it is written, and not sent to who has it', async () => {
    give(await picture({ width: 100, height: 100 }));
    const url = '/_img/w_64&f_png/storage/once.png';
    const first = await Promise.all([ask(url), ask('/_img/f_png%26w_64/storage/once.png'), ask(url)]);
    for (const { statusCode } of first) expect(statusCode).toBe(200);
    const again = await ask(url, { 'if-none-match': String(first[0]?.headers['etag']) });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('IMG-1 is fetched anew after five minutes, since it may have changed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    give(plainPng(64, 64));
    const url = '/_img/w_32/storage/changing.png';
    await ask(url);
    vi.advanceTimersByTime(299_000);
    await ask(url);
    expect(get).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2_000);
    await ask(url);
    expect(get).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['a page that calls itself a picture', 200, '<html><script>alert(1)</script>', 502],
    ['an SVG', 200, '<svg xmlns="http://www.w3.org/2000/svg"/>', 502],
    ['no redirect with an address', 304, '', 502],
    ['an error', 500, 'oops', 502],
    ['nothing there', 404, '', 404],
  ])('A27 that is %s is refused', async (_what, status, body, expected) => {
    give(body, status);
    const response = await ask(`/_img/w_64/storage/${status}-${body.length}.png`);
    expect(response.statusCode).toBe(expected);
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.payload).not.toContain('script');
  });

  it('A22 IMG-1 that is a pixel bomb is refused with 400', async () => {
    give(plainPng(14_000, 14_000));
    const response = await ask('/_img/w_64/storage/bomb.png');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ message: 'This picture has too many pixels.', code: 'bad_request' });
  });

  it('A27 that does not come is 502, and the failure is not remembered', async () => {
    get.mockRejectedValueOnce(new OutboundError('too_slow'));
    expect((await ask('/_img/w_64/storage/late.png')).statusCode).toBe(502);
    give(plainPng(64, 64));
    expect((await ask('/_img/w_64/storage/late.png')).statusCode).toBe(200);
  });

  it.each([
    ['forbidden', 403],
    ['too_many_redirects', 502],
    ['refused', 502],
  ] as const)('F-C3 IMG-1 that leads to a failure called %s is answered %i', async (failure, expected) => {
    get.mockRejectedValueOnce(new OutboundError(failure));
    const response = await ask(`/_img/w_64/storage/${failure}.png`);
    expect(response.statusCode).toBe(expected);
    if (expected === 403) expect(response.json()).toEqual({ message: 'Forbidden host', code: 'forbidden' });
  });

  it('F-C3 IMG-1 may be led on inside the media host and nowhere else', async () => {
    give(plainPng(64, 64));
    await ask('/_img/w_64/storage/led.png');
    const [, mayFollow] = get.mock.calls[0] ?? [];
    const led = (to: string) => mayFollow?.(new URL(to));
    expect(led('https://media.example/elsewhere/a.png?x=1')).toBe(true);
    for (const to of ['http://media.example/a.png', 'https://media.example:8443/a.png', 'https://evil.example/a.png']) {
      expect(led(to), to).toBe(false);
    }
  });

  it('A27 is made at most 120 times a minute for one person', async () => {
    const busy = await mediaApp({ get });
    give('x', 404);
    const statuses: number[] = [];
    for (let turn = 0; turn < 121; turn++) {
      statuses.push((await busy.app.inject(`/_img/w_64/storage/${turn}.png`)).statusCode);
    }
    expect(statuses.indexOf(429)).toBe(120);
    await busy.close();
  });

  it('IMG-1 an unknown modifier, a query and another method are refused, and nothing is fetched', async () => {
    for (const url of ['/_img/w_65/storage/a.png', '/_img/x_1/storage/a.png', '/_img/w_64/storage/a.png?x=1']) {
      expect((await ask(url)).statusCode, url).toBe(400);
    }
    expect((await ask('/_img/w_64/https://media.example/a.png')).json()).toEqual({
      message: 'Forbidden host',
      code: 'forbidden',
    });
    const post = await media.app.inject({ method: 'POST', url: '/_img/w_64/storage/a.png' });
    expect(post.statusCode).toBe(404);
    expect(get).not.toHaveBeenCalled();
  });

  it('IMG-1 without a media host there is none', async () => {
    const local = await mediaApp({ get }, { mediaHost: null });
    expect((await local.app.inject('/_img/w_64/storage/a.png')).statusCode).toBe(404);
    expect(get).not.toHaveBeenCalled();
    await local.close();
  });
});
