import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Actor } from '#/platform/http/actor.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { type MediaApp, mediaApp, SOMEBODY } from './testing/media-app.ts';

const get = vi.fn();
let media: MediaApp;
let actor: Actor | null = SOMEBODY;
beforeAll(async () => {
  const site = {
    '/img/x.png': await picture({ width: 200, height: 100, format: 'png' }),
    '/img/Ward 3.jpg': await picture({ width: 200, height: 100, format: 'jpeg' }),
    '/img/broken.png': Buffer.from('MARKER of no picture'),
    '/shell.html': Buffer.from('<title>MARKER of a page</title>'),
  };
  media = await mediaApp({ get }, { site, resolveActor: async () => actor });
});
afterAll(() => media.close());

const ask = (url: string, remoteAddress = '10.0.0.1') => media.app.inject({ url, remoteAddress });

describe('a picture of this site', () => {
  it.each([
    ['somebody', SOMEBODY],
    ['a guest', null],
  ])('F-C3 IMG-1 comes in the size that was asked for: for %s', async (_who, asking) => {
    actor = asking;
    for (const path of ['/img/x.png', '/img/Ward%203.jpg']) {
      const response = await ask(`/_img/w_96&f_webp&q_80${path}`);
      expect(response.statusCode, path).toBe(200);
      expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 96, height: 48 });
    }
    expect(get).not.toHaveBeenCalled();
  });

  it('F-C3 A25 is a picture that is there, and no other file', async () => {
    actor = SOMEBODY;
    const files = ['/img/none.png', '/shell.html', '/img', '/img/x.svg'];
    for (const file of files) expect((await ask(`/_img/w_64${file}`)).statusCode, file).toBe(404);
    const broken = await ask('/_img/w_64/img/broken.png');
    expect([broken.statusCode, broken.payload.includes('MARKER')]).toEqual([502, false]);
    expect(get).not.toHaveBeenCalled();
  });

  it('F-C3 A19 a guest gets those alone', async () => {
    actor = null;
    for (const path of ['/storage/a.png', `/storage/avatars/${'A'.repeat(22)}`]) {
      expect((await ask(`/_img/w_64${path}`)).statusCode).toBe(401);
    }
    expect(get).not.toHaveBeenCalled();
  });

  it('F-C3 A22 is made at most 30 times a minute for one place and 120 times for all guests, and people are let through', async () => {
    actor = null;
    const sizes = Array.from({ length: 31 }, (_size, n) => `/_img/q_${n + 1}&w_16/img/x.png`);
    const one = [];
    for (const size of sizes) one.push((await ask(size, '10.0.1.1')).statusCode);
    expect(one.indexOf(429)).toBe(30);
    const many: number[] = [];
    for (let n = 0; n < 120; n++)
      many.push((await ask(`/_img/q_${(n % 100) + 1}&w_20/img/x.png`, `10.0.2.${n}`)).statusCode);
    expect(many).toContain(429);
    actor = SOMEBODY;
    expect((await ask('/_img/w_24/img/x.png')).statusCode).toBe(200);
  });
});
