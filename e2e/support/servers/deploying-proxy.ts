import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';

/** What stands in for a file of the build: its new text, or null where it is gone. */
export type Deployed = Readonly<Record<string, string | null>>;

/** A proxy in front of the server that can deploy another build under open pages. */
export interface DeployingProxy {
  readonly baseUrl: string;
  /** From now on these files are as given; the rest is the server's. */
  deploy(files: Deployed): void;
  /** How often a path was asked for, whoever answered. */
  requestsFor(path: string): number;
  close(): Promise<void>;
}

export async function startDeployingProxy(target: string): Promise<DeployingProxy> {
  const { hostname, port } = new URL(target);
  const counts = new Map<string, number>();
  let deployed: Deployed = {};

  const server = createServer((request, response) => {
    const pathname = new URL(request.url ?? '/', target).pathname;
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    const file = deployed[pathname];
    if (file === undefined) pass(request, response);
    else if (file === null)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found."}');
    else passWith(file, { request, response });
  });

  const options = (request: IncomingMessage) => ({
    hostname,
    port,
    method: request.method,
    path: request.url,
    headers: request.headers,
  });
  function pass(request: IncomingMessage, response: ServerResponse): void {
    const onward = forward(options(request), (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
  /** The server's own headers, type and policy included, over another text. */
  function passWith(text: string, { request, response }: { request: IncomingMessage; response: ServerResponse }): void {
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    delete headers['if-none-match'];
    const onward = forward({ ...options(request), headers }, (answer) => {
      answer.resume();
      const { 'content-length': _length, etag: _etag, ...kept } = answer.headers;
      response.writeHead(200, kept).end(text);
    });
    onward.on('error', () => response.destroy());
    onward.end();
  }

  server.on('upgrade', (request, near, head) => {
    const far = connect(Number(port), hostname, () => {
      const lines = request.rawHeaders.reduce(
        (text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'),
        `${request.method} ${request.url} HTTP/1.1\r\n`,
      );
      far.write(`${lines}\r\n`);
      far.write(head);
      near.pipe(far).pipe(near);
    });
    const breakBoth = () => {
      near.destroy();
      far.destroy();
    };
    near.on('error', breakBoth);
    far.on('error', breakBoth);
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    deploy(files) {
      deployed = files;
    },
    requestsFor: (path) => counts.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Another build of the client: a new service worker with a new shell in its list, the manifest that says so, and the new
 * shell at the addresses of `pages`, for a browser without a worker.
 */
export async function anotherBuild(
  baseUrl: string,
  id: string,
  pages: readonly string[] = [],
): Promise<Record<string, string>> {
  const text = async (path: string) => await (await fetch(`${baseUrl}${path}`)).text();
  const shell = (await text('/shell.html')).replace(/(name="build" content=")[^"]*/, `$1${id}`);
  const listed = /"revision":"[0-9a-f]+"(?=,"url":"shell\.html")/;
  const worker = await text('/sw.js');
  if (!listed.test(worker)) throw new Error('The service worker does not list the shell.');
  return {
    '/sw.js': worker.replace(listed, `"revision":"${id}"`),
    '/builds/latest.json': JSON.stringify({ id, timestamp: Date.now() + 60_000 }),
    ...Object.fromEntries(['/shell.html', ...pages].map((path) => [path, shell])),
  };
}

const MANIFEST = path.join(import.meta.dirname, '../../../apps/web/dist/.vite/manifest.json');

type Manifest = Record<string, { file: string } | undefined>;

const readManifest = async () => JSON.parse(await readFile(MANIFEST, 'utf8')) as Manifest;

/** The files that hold the own code of all pages whose routes' files begin with this. */
export async function chunksOf(routes: string): Promise<Set<string>> {
  const own = Object.entries(await readManifest()).filter(
    ([key]) => key.startsWith(`src/routes/${routes}`) && key.includes('?tsr-split='),
  );
  return new Set(own.map(([, chunk]) => `/${chunk?.file}`));
}

/** The file that holds a page's own code, by the name of its route's file. */
export async function chunkOf(route: string): Promise<string> {
  // A page that says its own errors has the words for them in the same file.
  const [chunk] = await chunksOf(`${route}.tsx?tsr-split=component`);
  if (chunk === undefined) throw new Error(`The build has no chunk of ${route}.`);
  return chunk;
}
