import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskStore, type FileStore } from './file-store.ts';

let root: string;
let store: FileStore;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'wardline-files-'));
  store = createDiskStore(path.join(root, 'files'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('stored files', () => {
  it('ACC-5 are read as they were put, until they are removed', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    await store.put('avatars/ab/abc-_1.webp', bytes);
    expect(await store.get('avatars/ab/abc-_1.webp')).toEqual(bytes);
    await store.put('avatars/ab/abc-_1.webp', Buffer.from('new'));
    expect(String(await store.get('avatars/ab/abc-_1.webp'))).toBe('new');
    await store.remove('avatars/ab/abc-_1.webp');
    expect(await store.get('avatars/ab/abc-_1.webp')).toBeNull();
    await store.remove('avatars/ab/abc-_1.webp');
  });

  it('CHAT-14 grow from any place that was reached, and are read in parts', async () => {
    async function* of(...texts: string[]) {
      for (const text of texts) yield Buffer.from(text);
    }
    expect(await store.append('uploads/ab/c.part', 0, of('one ', 'two, broken'))).toBe(15);
    expect(await store.append('uploads/ab/c.part', 8, of(' three'))).toBe(14);
    expect(await store.append('uploads/ab/c.part', 14, of())).toBe(14);
    const read = await store.read('uploads/ab/c.part');
    expect(String(Buffer.concat((await read?.toArray()) ?? []))).toBe('one two, three');
    expect(await store.read('uploads/ab/d.part')).toBeNull();
    await expect(store.append('uploads/ab/c.part', 15, of('x'))).rejects.toThrow('shorter');
    expect((await stat(path.join(root, 'files/uploads/ab/c.part'))).mode & 0o077).toBe(0);
  });

  it('A19 can be read by the account of the server alone', async () => {
    await store.put('avatars/ab/c.webp', Buffer.from('x'));
    expect((await stat(path.join(root, 'files/avatars/ab/c.webp'))).mode & 0o077).toBe(0);
    expect((await stat(path.join(root, 'files/avatars/ab'))).mode & 0o077).toBe(0);
  });

  it('A24 leave nothing behind when they cannot be written', async () => {
    await mkdir(path.join(root, 'files/avatars/c.webp'), { recursive: true });
    await writeFile(path.join(root, 'files/avatars/c.webp/full'), 'x');
    await expect(store.put('avatars/c.webp', Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(path.join(root, 'files/avatars'))).toEqual(['c.webp']);
  });

  it.each([
    '../secret.webp',
    'avatars/../../secret.webp',
    '/etc/passwd',
    'avatars//x.webp',
    'avatars/.webp',
    'avatars/x',
    'a\\b.webp',
    'avatars/x.webp\u0000.png',
    'avatars/x%2e.webp',
    '',
  ])('A19 have no name like %j', async (name) => {
    await expect(store.get(name)).rejects.toThrow('This is not the name of a stored file.');
    await expect(store.put(name, Buffer.from('x'))).rejects.toThrow('This is not the name of a stored file.');
    await expect(store.read(name)).rejects.toThrow('This is not the name of a stored file.');
    await expect(store.append(name, 0, new Blob(['x']).stream())).rejects.toThrow(
      'This is not the name of a stored file.',
    );
    await expect(store.remove(name)).rejects.toThrow('This is not the name of a stored file.');
  });
});
