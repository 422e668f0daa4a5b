import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../../..');

/** A registry of packages on this machine. */
export interface LocalRegistry {
  readonly url: string;
  /** Names that were asked for, those that it does not have included. */
  readonly asked: ReadonlySet<string>;
  stop(): Promise<void>;
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly integrity: string;
}

/**
 * Serves what `npm ci` has put into node_modules, packed anew into `folder`, so that an application can be installed without
 * another network than that took.
 */
export async function startLocalRegistry(names: readonly string[], folder: string): Promise<LocalRegistry> {
  await mkdir(folder, { recursive: true });
  const places = new Map(names.map((name) => [name, placeOf(name)]));
  const args = ['pack', ...places.values(), '--json', '--ignore-scripts', `--pack-destination=${folder}`];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 50_000_000 });
  const packs = new Map((JSON.parse(stdout) as Packed[]).map((packed) => [packed.name, packed]));
  const asked = new Set<string>();
  let url = '';

  const answer = async (name: string): Promise<string | Buffer | null> => {
    const file = [...packs.values()].find(({ filename }) => filename === name);
    if (file !== undefined) return readFile(path.join(folder, file.filename));
    asked.add(name);
    const packed = packs.get(name);
    if (packed === undefined) return null;
    const { version, filename, integrity } = packed;
    const manifest = JSON.parse(await readFile(path.join(places.get(name) ?? '', 'package.json'), 'utf8')) as object;
    const dist = { tarball: `${url}/${filename}`, integrity };
    return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
  };
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url ?? '').slice(1)).then(
      (found) => response.writeHead(found === null ? 404 : 200).end(found ?? '{}'),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The registry has no port.');
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Where node_modules has a package, as the client finds it. */
function placeOf(name: string): string {
  const paths = createRequire(path.join(ROOT, 'packages/client/package.json')).resolve.paths(name) ?? [];
  const place = paths
    .map((folder) => path.join(folder, name))
    .find((one) => existsSync(path.join(one, 'package.json')));
  if (place === undefined) throw new Error(`${name} is not installed.`);
  return place;
}
