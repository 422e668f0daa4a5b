import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import { createLog } from '#/platform/log.ts';
import { isNightly } from '#/testing/nightly.ts';
import { findBucketFault } from './check-bucket.ts';
import { createS3Store, sha256Of } from './s3-store.ts';
import { hasCeph, startRealS3 } from './testing/real-s3.ts';

const NAME = 'attachments/ab/abc/file.bin';
const PART = 'uploads/ab/abc.part';
const MB = 1024 * 1024;

async function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}

it('OPS-5 CHAT-14 the S3 of Ceph does as the one of the tests: signatures, parts, ranges, listing, unfinished files, what is refused', async ({
  skip,
}) => {
  if (!isNightly) skip('tried at night');
  if (!hasCeph()) return skip('no Ceph is installed: on Debian ceph-mon, ceph-osd, ceph-common and radosgw');
  const s3 = await startRealS3();
  const open = (over: Partial<S3Settings> = {}) => createS3Store({ ...s3.settings, ...over }, createLog('silent'));
  const store = open();
  try {
    expect(await findBucketFault(store)).toBeNull();

    const small = randomBytes(5_000);
    await store.put(NAME, small);
    expect(await store.get(NAME)).toEqual(small);
    const part = await store.read(NAME, { start: 10, end: 19 });
    expect(part && (await buffer(part))).toEqual(small.subarray(10, 20));

    const large = randomBytes(20 * MB + 17);
    const sha256 = await sha256Of(pieces(large));
    await store.putHashed(NAME, pieces(large), sha256);
    expect(await store.describe(NAME)).toEqual({ bytes: large.length, sha256 });
    expect((await store.get(NAME))?.equals(large)).toBe(true);
    async function* failing() {
      yield randomBytes(17 * MB);
      throw new Error('the reader has gone');
    }
    await expect(store.put('attachments/ab/lost.bin', failing())).rejects.toThrow('the reader has gone');
    expect(await store.get('attachments/ab/lost.bin')).toBeNull();

    // More than one page of a listing, and another prefix.
    const names = Array.from({ length: 1_005 }, (_, index) => `avatars/ab/key${String(index).padStart(4, '0')}.webp`);
    for (let at = 0; at < names.length; at += 15) {
      await Promise.all(names.slice(at, at + 15).map((name) => store.put(name, Buffer.from('x'))));
    }
    await open({ prefix: 'theirs/' }).put('avatars/ab/other.webp', Buffer.from('x'));
    const found = [];
    for await (const file of store.list('avatars')) found.push(file);
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found.every(({ modifiedAtMs }) => Math.abs(Date.now() - modifiedAtMs) < 120_000)).toBe(true);

    const upload = large.subarray(0, 3 * MB);
    expect(await store.append(PART, 0, pieces(upload.subarray(0, MB + 5)))).toBe(MB + 5);
    expect(await open().append(PART, MB + 5, pieces(upload.subarray(MB + 5)))).toBe(3 * MB);
    const whole = await store.readUnfinished(PART, 3 * MB);
    expect(whole && (await buffer(whole)).equals(upload)).toBe(true);
    await store.removeUnfinished(PART);
    expect(await store.readUnfinished(PART, 3 * MB)).toBeNull();

    await store.remove(NAME);
    await store.remove(NAME);
    expect([await store.get(NAME), await store.size(NAME)]).toEqual([null, null]);

    for (const [setting, over] of [
      ['S3_ACCESS_KEY_ID', { accessKeyId: 'AKIDWRONG' }],
      ['S3_SECRET_ACCESS_KEY', { secretAccessKey: 'another secret' }],
      ['S3_BUCKET', { bucket: 'no-files' }],
    ] as const) {
      const fault = await findBucketFault(open(over));
      expect(fault).toMatchObject({ isPassing: false, message: expect.stringContaining(setting) });
    }
  } finally {
    store.close();
    await s3.close();
  }
}, 300_000);
