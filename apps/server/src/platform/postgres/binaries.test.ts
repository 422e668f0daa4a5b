import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinaries, restoreLibraryLinks } from './binaries.ts';

test('OPS-1 a platform without embedded PostgreSQL is told about DATABASE_URL', () => {
  expect(() => findBinaries('aix', 'ppc64')).toThrow(/aix-ppc64.*DATABASE_URL/s);
});

test('OPS-1 library links are made where the install script did not run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardline links '));
  try {
    mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
    writeFileSync(join(folder, 'native', 'lib', 'libx.so.1.2'), 'library');
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
    writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
    restoreLibraryLinks(folder);
    restoreLibraryLinks(folder);
    expect(lstatSync(join(folder, 'native', 'lib', 'libx.so.1')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'native', 'lib', 'libx.so.1'), 'utf8')).toBe('library');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
