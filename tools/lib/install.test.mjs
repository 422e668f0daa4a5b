import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inRoot } from './paths.mjs';

/** A repository whose only package is its own workspace, so that npm needs no registry. */
describe('installing what is missing', { timeout: 60_000 }, () => {
  let folder;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'wardline install ')));
    mkdirSync(join(folder, 'packages', 'one'), { recursive: true });
    cpSync(inRoot('tools', 'lib'), join(folder, 'tools', 'lib'), { recursive: true });
    write('packages/one/package.json', { name: 'one', version: '1.0.0' });
    write('package.json', { name: 'toy', version: '1.0.0', private: true, workspaces: ['packages/*'] });
    lock(['one']);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (file, content) => writeFileSync(join(folder, file), JSON.stringify(content));
  const lock = (names) => {
    const links = names.flatMap((name) => [
      [`node_modules/${name}`, { resolved: `packages/${name}`, link: true }],
      [`packages/${name}`, { name, version: '1.0.0' }],
    ]);
    const self = { name: 'toy', version: '1.0.0', workspaces: ['packages/*'] };
    const packages = { '': self, ...Object.fromEntries(links) };
    write('package-lock.json', { name: 'toy', version: '1.0.0', lockfileVersion: 3, packages });
  };
  const marker = () => join(folder, 'node_modules', '.wardline-installed');
  const install = () =>
    new Promise((resolve) => {
      const text = "const { ensureInstalled } = await import('./tools/lib/install.mjs'); await ensureInstalled();";
      const args = ['--input-type=module', '-e', text];
      const env = { ...process.env, npm_config_offline: 'true', npm_execpath: '' };
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, output: stdout + stderr });
      });
    });

  test('OPS-1 OPS-3 installs once, in a path with a space, and the second time does not even ask npm', async () => {
    const first = await install();
    expect(first.output).toContain('Installing the packages');
    expect(first.code).toBe(0);
    expect(existsSync(join(folder, 'node_modules', 'one', 'package.json'))).toBe(true);
    expect(await install()).toEqual({ code: 0, output: '' });
  });

  test('OPS-3 an install that was interrupted is done again', async () => {
    await install();
    rmSync(marker());
    rmSync(join(folder, 'node_modules', 'one'), { recursive: true });
    expect((await install()).output).toContain('Installing the packages');
    expect(existsSync(join(folder, 'node_modules', 'one', 'package.json'))).toBe(true);
  });

  test('OPS-3 a finished install made by hand is taken as it is', async () => {
    await install();
    const before = readFileSync(marker(), 'utf8');
    rmSync(marker());
    expect((await install()).output).not.toContain('Installing the packages');
    expect(readFileSync(marker(), 'utf8')).toBe(before);
  });

  test('OPS-3 two at once: one installs, the other waits for it', async () => {
    const outcomes = await Promise.all([install(), install()]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes.filter(({ output }) => output.includes('Installing the packages'))).toHaveLength(1);
  });

  test('OPS-3 a lock file that npm ci calls out of sync is installed by npm install, and left as it is', async () => {
    mkdirSync(join(folder, 'packages', 'two'));
    write('packages/two/package.json', { name: 'two', version: '1.0.0' });
    const lockBefore = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    const { code, output } = await install();
    expect(output).toContain('out of sync');
    expect(code).toBe(0);
    expect(existsSync(join(folder, 'node_modules', 'two', 'package.json'))).toBe(true);
    expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(lockBefore);
  });
});
