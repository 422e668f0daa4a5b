import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { findBucketFault } from './check-bucket.ts';
import { createS3Store, type S3Store, sha256Of } from './s3-store.ts';
import { type FakeS3, startFakeS3 } from './testing/fake-s3.ts';

const QUICK = { silenceMs: 250, bytesPerMs: 100_000, tries: 3, pauseMs: 1 };
const NAME = 'attachments/ab/abc/file.bin';
const MB = 1024 * 1024;

let s3: FakeS3;
let store: S3Store;
/** Megabytes take longer than what is quick on a machine that does much else. */
const PATIENT = { ...QUICK, silenceMs: 10_000 };
const open = (over: Partial<FakeS3['settings']> = {}, limits = QUICK) =>
  createS3Store({ ...s3.settings, ...over }, createLog('silent'), limits);
beforeEach(async () => {
  s3 = await startFakeS3();
  store = open();
});
afterEach(async () => {
  store.close();
  await s3.close();
});

async function* pieces(bytes: Buffer, size = 300_000) {
  for (let at = 0; at < bytes.length; at += size) {
    await turn();
    yield bytes.subarray(at, at + size);
  }
}
const read = async (from: S3Store, name = NAME) => {
  const stream = await from.read(name);
  return stream && buffer(stream);
};
const status = (code: number, name: string) => ({ kind: 'status' as const, status: code, code: name });

describe('files in a bucket', () => {
  it('OPS-5 are read as they were put, whole or in part, until they are removed', async () => {
    const bytes = randomBytes(5_000);
    await store.put(NAME, bytes);
    expect([...s3.objects.keys()]).toEqual([`ours/${NAME}`]);
    expect(await store.get(NAME)).toEqual(bytes);
    expect(await store.size(NAME)).toBe(5_000);
    const part = await store.read(NAME, { start: 10, end: 19 });
    expect(part && (await buffer(part))).toEqual(bytes.subarray(10, 20));
    await store.remove(NAME);
    await store.remove(NAME);
    expect([await store.get(NAME), await store.read(NAME), await store.size(NAME)]).toEqual([null, null, null]);
    for (const name of ['../x.bin', 'a//b.bin', 'noending', 'a/b?c.bin']) {
      await expect(store.put(name, bytes)).rejects.toThrow('not the name');
    }
  });

  it('OPS-5 of any length go by parts of 8 MB, and nothing is there before all is', async () => {
    const bytes = randomBytes(20 * MB + 17);
    let isThereEarly = false;
    async function* watched() {
      for await (const piece of pieces(bytes, MB)) {
        isThereEarly ||= s3.objects.size > 0;
        yield piece;
      }
    }
    const patient = open({}, PATIENT);
    await patient.put(NAME, watched());
    expect(isThereEarly).toBe(false);
    expect(s3.largestBody()).toBe(8 * MB);
    expect((await read(patient))?.equals(bytes)).toBe(true);
    expect(s3.uploads.size).toBe(0);
    patient.close();
  });

  it('OPS-5 whose source fails leave nothing behind, and no upload of parts', async () => {
    async function* failing() {
      yield randomBytes(17 * MB);
      throw new Error('the reader has gone');
    }
    await expect(store.put(NAME, failing())).rejects.toThrow('the reader has gone');
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  });

  it('OPS-5 are listed over all pages, with their times, under their own prefix only', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `avatars/ab/key${index}.webp`);
    for (const name of [...names, NAME]) await store.put(name, Buffer.from('x'));
    await open({ prefix: 'theirs/' }).put('avatars/ab/other.webp', Buffer.from('x'));
    const found = [];
    for await (const file of store.list('avatars')) found.push(file);
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found.every(({ modifiedAtMs }) => Math.abs(Date.now() - modifiedAtMs) < 60_000)).toBe(true);
  });
});

describe('an unfinished file in a bucket', () => {
  const PART = 'uploads/ab/abc.part';

  it('CHAT-14 grows through any server, and keeps what was acknowledged when another one ends late', async () => {
    const bytes = randomBytes(3 * MB);
    const other = open();
    expect(await store.append(PART, 0, pieces(bytes.subarray(0, MB + 5)))).toBe(MB + 5);
    // Both were sent the same place; the one that heard less comes last.
    expect(await other.append(PART, MB + 5, pieces(bytes.subarray(MB + 5)))).toBe(3 * MB);
    expect(await store.append(PART, MB + 5, pieces(bytes.subarray(MB + 5, MB + 900)))).toBe(MB + 900);
    const whole = await store.readUnfinished(PART, 3 * MB);
    expect(whole && (await buffer(whole)).equals(bytes)).toBe(true);
    const less = await store.readUnfinished(PART, MB + 900);
    expect(less && (await buffer(less)).equals(bytes.subarray(0, MB + 900))).toBe(true);
    expect(await store.readUnfinished(PART, 3 * MB + 1)).toBeNull();
    expect(s3.largestBody()).toBeLessThanOrEqual(MB);
    await store.removeUnfinished(PART);
    expect(s3.objects.size).toBe(0);
    other.close();
  });

  it('CHAT-14 has what was stored of it, and never what was not', async () => {
    expect(await store.append(PART, 0, pieces(Buffer.from('%PDF-1.7'), 5))).toBe(8);
    s3.fail(/^PUT/, ...Array.from({ length: 3 }, () => status(500, 'InternalError')));
    await expect(store.append(PART, 8, pieces(Buffer.from('lost')))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.readUnfinished(PART, 12)).toBeNull();
    const kept = await store.readUnfinished(PART, 8);
    expect(kept && String(await buffer(kept))).toBe('%PDF-1.7');
  });
});

describe('a bucket that fails', () => {
  it.each([
    ['an error of its own', status(500, 'InternalError')],
    ['too many requests', status(503, 'SlowDown')],
    ['silence', { kind: 'silent' as const }],
    ['a connection that is cut', { kind: 'refused' as const }],
    ['an answer that is lost', { kind: 'lost' as const }],
  ])('OPS-5 is asked again after %s', async (_what, fault) => {
    const bytes = randomBytes(9 * MB);
    for (const fits of [/^PUT/, /^GET/, /^HEAD/, /^DELETE/, /^POST .*uploads=/, /^POST .*uploadId/])
      s3.fail(fits, fault);
    await store.put(NAME, bytes);
    expect((await store.get(NAME))?.equals(bytes)).toBe(true);
    expect(await store.size(NAME)).toBe(bytes.length);
    await store.remove(NAME);
    expect(s3.objects.size).toBe(0);
  });

  it('OPS-5 is given up after three tries (503), with room left or without (507)', async () => {
    s3.fail(/^PUT/, ...Array.from({ length: 3 }, () => status(503, 'SlowDown')));
    await expect(store.put(NAME, Buffer.from('x'))).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 5 });
    expect(s3.asked.filter((label) => label.startsWith('PUT'))).toHaveLength(3);
    s3.fail(/^PUT/, status(507, 'XMinioStorageFull'));
    await expect(store.put(NAME, Buffer.from('x'))).rejects.toMatchObject({ code: 'storage_full' });
  });

  it('OPS-5 is not asked twice for what it will always refuse', async () => {
    s3.fail(/^PUT/, status(403, 'AccessDenied'));
    await expect(store.put(NAME, Buffer.from('x'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(s3.asked).toHaveLength(1);
  });

  it('OPS-5 that ends an upload of parts with an error and status 200 is not believed', async () => {
    s3.fail(/^POST .*uploadId/, ...Array.from({ length: 2 }, () => ({ kind: 'late failure' as const })));
    await expect(store.put(NAME, randomBytes(9 * MB))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('OPS-5 that cuts a body off is read on from there, and never taken for whole', async () => {
    const bytes = randomBytes(MB);
    await store.put(NAME, bytes);
    s3.fail(/^GET/, ...Array.from({ length: 4 }, () => ({ kind: 'truncated' as const })));
    expect((await read(store))?.equals(bytes)).toBe(true);
    expect(s3.asked.filter((label) => label.startsWith('GET'))).toHaveLength(5);
    s3.fail(/^GET/, { kind: 'truncated' }, status(403, 'AccessDenied'));
    await expect(read(store)).rejects.toThrow('AccessDenied');
  });

  it('OPS-5 does not give half of one file and half of another', async () => {
    await store.put(NAME, randomBytes(MB));
    s3.fail(/^GET/, { kind: 'truncated' });
    const stream = await store.read(NAME);
    await store.put(NAME, randomBytes(MB));
    await expect(stream && buffer(stream)).rejects.toThrow('PreconditionFailed');
  });
});

describe('the look at the bucket at the start', () => {
  it('OPS-5 finds nothing wrong, and leaves nothing', async () => {
    expect(await findBucketFault(store)).toBeNull();
    expect(s3.objects.size).toBe(0);
  });

  it.each([
    ['S3_ACCESS_KEY_ID', { accessKeyId: 'AKIDWRONG' }],
    ['S3_SECRET_ACCESS_KEY', { secretAccessKey: 'another secret' }],
    ['S3_REGION', { region: 'eu-other-1' }],
    ['S3_BUCKET', { bucket: 'no-files' }],
  ])('OPS-5 names %s where it is wrong, and no secret', async (setting, over) => {
    const fault = await findBucketFault(open(over));
    expect(fault).toMatchObject({ isPassing: false });
    expect(fault?.message).toContain(setting);
    expect(fault?.message).not.toContain(Object.values(over)[0]);
  });

  it('OPS-5 tells a storage that is not there just now from settings that are wrong', async () => {
    await s3.close();
    expect(await findBucketFault(store)).toMatchObject({ code: 'ECONNREFUSED', isPassing: true });
  });
});

it('OPS-5 a file in a bucket has the hash beside it that it was given', async () => {
  const bytes = randomBytes(100);
  const sha256 = await sha256Of(pieces(bytes));
  await store.putHashed(NAME, bytes, sha256);
  expect(await store.describe(NAME)).toEqual({ bytes: 100, sha256 });
});
