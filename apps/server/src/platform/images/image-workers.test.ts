import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isBlurhashValid } from 'blurhash';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { isNightly } from '#/testing/nightly.ts';
import type { DecodeReply, DecodeRequest, ImageOrder } from './image-order.ts';
import { createImageWorkers, type ImageWorkers, type ImageWorkersOptions, WORKER } from './image-workers.ts';
import { picture, plainPng } from './testing/pictures.ts';

const SQUARE: ImageOrder = {
  width: 64,
  height: 64,
  fit: 'cover',
  format: 'webp',
  quality: 80,
  background: null,
  enlarge: true,
};
const log = createLog('silent');
let folder: string;
let workers: ImageWorkers;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'wardline-workers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => workers.close());

function start(options: Partial<ImageWorkersOptions> = {}): ImageWorkers {
  workers = createImageWorkers({ log, ...options });
  return workers;
}

/** A worker that does what a decoder with a flaw could do. */
async function program(source: string) {
  const file = path.join(folder, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, source);
  return { file, execArgv: [] };
}

describe('making pictures anew', () => {
  it.each([
    ['jpeg', 'webp'],
    ['png', 'jpeg'],
    ['webp', 'png'],
  ] as const)('IMG-1 turns a %s into a %s of the size that was asked for', async (from, to) => {
    const bytes = await picture({ width: 300, height: 200, format: from });
    const made = await start().make(bytes, { ...SQUARE, format: to });
    expect(await sharp(made).metadata()).toMatchObject({ format: to, width: 64, height: 64 });
  });

  it('IMG-1 keeps a small picture small, unless it shall be enlarged', async () => {
    const bytes = await picture({ width: 30, height: 20 });
    const small = await start().make(bytes, { ...SQUARE, enlarge: false });
    expect(await sharp(small).metadata()).toMatchObject({ width: 20, height: 20 });
    expect(await sharp(await workers.make(bytes, SQUARE)).metadata()).toMatchObject({ width: 64, height: 64 });
  });

  it('ACC-5 A20 turns it as the camera was held and leaves out everything but the pixels', async () => {
    const described = await picture({ width: 300, height: 100, format: 'jpeg', description: 'Ward 3 <script>' });
    const turned = await picture({ width: 300, height: 100, format: 'jpeg', orientation: 6 });
    expect(described.includes('<script>')).toBe(true);
    const whole = { ...SQUARE, width: null, height: null };
    const made = await start().make(described, whole);
    expect(made.includes('script')).toBe(false);
    expect(await sharp(made).metadata()).not.toHaveProperty('exif');
    expect(await sharp(await workers.make(turned, whole)).metadata()).toMatchObject({ width: 100, height: 300 });
  });

  it('CHAT-14 says a picture in a few letters, upright ones too, and of its pixels alone', async () => {
    const blue = await picture({ width: 300, height: 200, format: 'jpeg' });
    const turned = await picture({ width: 300, height: 200, format: 'jpeg', orientation: 6 });
    const wide = await start().blurhash(blue);
    expect(isBlurhashValid(wide)).toEqual({ result: true });
    expect([wide[0], (await workers.blurhash(turned))[0]]).toEqual(['L', 'T']);
    await expect(workers.blurhash(Buffer.from('%PDF-1.7'))).rejects.toMatchObject({ fault: 'not_an_image' });
  });

  it('A20 keeps nothing that stands behind or between the pixels', async () => {
    const jpeg = await picture({ width: 64, height: 64, format: 'jpeg' });
    const polyglot = Buffer.concat([jpeg, Buffer.from('<html><script>alert(1)</script>PK\u0003\u0004')]);
    const made = await start().make(polyglot, SQUARE);
    expect(made.includes('script')).toBe(false);
    expect(made.includes('PK\u0003\u0004')).toBe(false);
  });

  it.each(['jpeg', 'png', 'webp'] as const)('A22 refuses a %s that ends too early', async (format) => {
    const noise = await sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .toFormat(format)
      .toBuffer();
    await expect(start().make(noise.subarray(0, noise.length / 2), SQUARE)).rejects.toMatchObject({
      fault: 'unreadable',
    });
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7\n'],
    ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000'],
    ['nothing', ''],
  ])('A20 takes %s for no picture', async (_what, text) => {
    await expect(start().make(Buffer.from(text, 'latin1'), SQUARE)).rejects.toMatchObject({ fault: 'not_an_image' });
  });

  it('A20 the process itself loads nothing but the three formats, even past the look at the head', async () => {
    const { file, execArgv, env } = WORKER;
    const child = fork(file, [], { execArgv: [...execArgv], env: { ...env }, serialization: 'advanced' });
    const replies: DecodeReply[] = [];
    try {
      for (const format of ['gif', 'tiff', 'png'] as const) {
        const bytes = await picture({ width: 10, height: 10, format });
        child.send({ bytes, order: SQUARE } satisfies DecodeRequest);
        replies.push(((await once(child, 'message')) as [DecodeReply])[0]);
      }
    } finally {
      child.kill('SIGKILL');
    }
    const unsupported = { error: 'Error: Input buffer contains unsupported image format' };
    expect(replies).toEqual([unsupported, unsupported, { bytes: expect.anything() }]);
  });
});

describe('a process that dies of a picture', () => {
  it('A22 is followed by another, and the one request is answered with 503', async () => {
    const dying = await program(`process.on('message', ({ bytes }) => {
      if (bytes.length > 200) process.kill(process.pid, 'SIGSEGV');
      else process.send({ bytes });
    });`);
    start({ program: dying });
    const [poison, good] = [await picture({ width: 300, height: 300 }), plainPng(8, 8)];
    expect(poison.length).toBeGreaterThan(200);
    await expect(workers.make(poison, SQUARE)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await workers.make(good, SQUARE)).toEqual(good);
  });

  it('A22 is killed when it takes too long', async () => {
    start({ program: await program(`process.on('message', () => { for (;;); });`), timeoutMs: 300 });
    await expect(workers.make(plainPng(8, 8), SQUARE)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('A22 is given no variable of the environment', async () => {
    const telling = await program(
      `process.on('message', () => process.send({ bytes: Buffer.from(JSON.stringify(Object.keys(process.env))) }));`,
    );
    const names = JSON.parse(String(await start({ program: telling }).make(plainPng(8, 8), SQUARE)));
    expect(names).toContain('VIPS_BLOCK_UNTRUSTED');
    expect(names).not.toContain('PATH');
  });
});

describe('many pictures at once', () => {
  it('A22 work two at a time, 32 wait, and the rest are turned away with 503', async () => {
    const counting = await program(`let busy = 0;
      process.on('message', async ({ bytes }) => {
        if (++busy > 1) process.exit(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        busy--;
        process.send({ bytes });
      });`);
    start({ program: counting });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => workers.make(plainPng(8, 8), SQUARE)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterS: 1 });
  });

  it.runIf(isNightly)('A22 of the largest size, 20 at the same moment, all come out', async () => {
    start();
    const large = plainPng(6_000, 4_000);
    const made = await Promise.all(Array.from({ length: 20 }, () => workers.make(large, SQUARE)));
    for (const bytes of made) expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 64 });
  });
});
