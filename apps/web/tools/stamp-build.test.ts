import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { stampBuild } from './stamp-build.ts';

const folders: string[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function stamped(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'wardline-stamp-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { plugin, namePayloads } = stampBuild();
  (plugin.configResolved as (config: unknown) => void)({ root: folder, build: { outDir: '.' } });
  await (plugin.writeBundle as { handler: () => Promise<void> }).handler();
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const latest = JSON.parse(await read('builds/latest.json')) as { id: string; timestamp: number };
  return { folder, read, latest, namePayloads };
}

const files = { 'index.html': '<head></head>', 'about/index.html': '<head></head>', 'assets/a-1.js': 'let a' };

it('PWA-7 the manifest names the build and when it was made, and each page carries the name', async () => {
  vi.stubEnv('SOURCE_DATE_EPOCH', '1763700000');
  const { folder, read, latest } = await stamped(files);
  expect(latest).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), timestamp: 1_763_700_000_000 });
  expect(await readdir(join(folder, 'builds/meta'))).toEqual([`${latest.id}.json`]);
  expect(JSON.parse(await read(`builds/meta/${latest.id}.json`))).toEqual(latest);
  for (const page of ['index.html', 'about/index.html'])
    expect(await read(page)).toContain(`<meta name="build" content="${latest.id}">`);
});

it('PWA-7 the same files are the same build; another text, name or page is another', async () => {
  const idOf = async (change: Readonly<Record<string, string>>) => (await stamped({ ...files, ...change })).latest.id;
  const id = await idOf({});
  expect(await idOf({})).toBe(id);
  expect(await idOf({ '.vite/manifest.json': 'internal' })).toBe(id);
  expect(await idOf({ 'assets/a-1.js': 'let b' })).not.toBe(id);
  expect(await idOf({ 'assets/b-1.js': '' })).not.toBe(id);
  expect(await idOf({ 'about/index.html': '<head></head>!' })).not.toBe(id);
});

it('PWA-8 the worker keeps a payload under the name of its build', async () => {
  const { latest, namePayloads } = await stamped(files);
  const page = { url: 'about/index.html', revision: 'r1', size: 1 };
  const payload = { url: 'about/_payload.json', revision: 'r2', size: 1 };
  expect(namePayloads([page, payload]).manifest).toEqual([
    page,
    { url: `about/_payload.json?${latest.id}`, revision: null, size: 1 },
  ]);
});
