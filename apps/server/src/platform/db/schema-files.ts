import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export interface SchemaFile {
  /** Of a migration its number and words, of a function or view its own name. */
  readonly name: string;
  /** Inside the repository's folder of the schema, for a person to find it. */
  readonly path: string;
  readonly text: string;
  readonly checksum: string;
}

export interface SchemaFiles {
  /** In the order in which they are applied. */
  readonly migrations: readonly SchemaFile[];
  /** In the order in which they can be made. */
  readonly functions: readonly SchemaFile[];
}

const REPOSITORY_FOLDER = 'apps/server/db';

/** What a build knows of its schema: `migrations/*.sql`, and `functions/**` with one function or view a file. */
export async function readSchemaFiles(folder: string): Promise<SchemaFiles> {
  return {
    migrations: await readSqlFiles(folder, 'migrations'),
    functions: inOrderOfNeed(await readSqlFiles(folder, 'functions')),
  };
}

/** The checksums of migrations as they landed, by name: what `sha256sum *.sql` writes. */
export async function readLandedChecksums(folder: string): Promise<Map<string, string>> {
  const lines = (await readFile(path.join(folder, 'migrations', 'checksums.txt'), 'utf8')).split('\n');
  const entries = lines.filter((line) => line !== '').map((line) => line.split('  '));
  return new Map(entries.map(([checksum = '', file = '']) => [path.basename(file, '.sql'), checksum]));
}

/** The same on every system, whatever line ends a checkout has. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

async function readSqlFiles(folder: string, kind: 'migrations' | 'functions'): Promise<SchemaFile[]> {
  const files = (await readdir(path.join(folder, kind), { recursive: true })).filter((file) => file.endsWith('.sql'));
  const read = files.map(async (file): Promise<SchemaFile> => {
    const text = await readFile(path.join(folder, kind, file), 'utf8');
    return {
      name: path.basename(file, '.sql'),
      path: path.posix.join(REPOSITORY_FOLDER, kind, ...file.split(path.sep)),
      text,
      checksum: checksumOf(text),
    };
  });
  return (await Promise.all(read)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * By name, but after what a file's line `-- needs: a, b` names: the views and functions that PostgreSQL must find when it
 * makes this one. The body of a PL/pgSQL function is not looked at before it runs.
 */
function inOrderOfNeed(files: readonly SchemaFile[]): SchemaFile[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const ordered = new Set<SchemaFile>();
  const place = (file: SchemaFile, waiting: readonly string[]): void => {
    if (ordered.has(file)) return;
    if (waiting.includes(file.name)) throw new Error(`${file.path} needs itself: ${waiting.join(', ')}.`);
    for (const name of neededBy(file)) {
      const needed = byName.get(name);
      if (needed === undefined) throw new Error(`${file.path} needs ${name}, which has no file beside it.`);
      place(needed, [...waiting, file.name]);
    }
    ordered.add(file);
  };
  for (const file of files) place(file, []);
  return [...ordered];
}

function neededBy(file: SchemaFile): string[] {
  const [, names = ''] = /^-- needs: (.+)$/m.exec(file.text) ?? [];
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
