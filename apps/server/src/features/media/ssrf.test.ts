import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutbound, type OutboundWorld } from '#/platform/http/outbound.ts';
import { isPublicAddress } from '#/platform/http/public-address.ts';
import { type MediaApp, mediaApp, SOMEBODY } from './testing/media-app.ts';

const LIMITS = { maxBytes: 100_000, timeoutMs: 2_000, atOnce: 8, waiting: 64 };

/** Listens wherever a request to the inside of a network could arrive, and counts who comes. */
class Bait {
  readonly #servers: net.Server[] = [];
  readonly port: number;
  connections = 0;

  private constructor(port: number) {
    this.port = port;
  }

  static async lay(): Promise<Bait> {
    const free = net.createServer();
    await once(free.listen(0, '127.0.0.1'), 'listening');
    const { port } = free.address() as AddressInfo;
    await once(free.close(), 'close');
    const bait = new Bait(port);
    const own = Object.values(os.networkInterfaces()).flatMap((found) => found ?? []);
    // Not every machine has every address.
    for (const address of new Set(['127.0.0.1', '127.0.0.2', '::1', ...own.map((found) => found.address)])) {
      await bait.#listen(address).catch(() => undefined);
    }
    return bait;
  }

  async #listen(host: string): Promise<void> {
    const server = net.createServer((socket) => {
      this.connections++;
      socket.destroy();
    });
    await once(server.listen({ host, port: this.port }), 'listening');
    this.#servers.push(server);
  }

  takeUp(): void {
    for (const server of this.#servers) server.close();
  }
}

let bait: Bait;
let media: MediaApp;
/** What the name of the media host leads to, the port that is asked there, and what counts as public. */
let names: readonly string[] = [];
let port = 0;
let isPublic = isPublicAddress;

/** The real rules, but for the port: every connection, to whatever address, is made to that of the bait. */
const world: OutboundWorld = {
  request: (url, options) => http.request({ ...options, host: url.hostname, port, path: url.pathname }),
  resolve: async () => names.map((address) => ({ address, family: net.isIP(address) })),
  isPublic: (address) => isPublic(address),
};

beforeAll(async () => {
  bait = await Bait.lay();
  // Somebody else each time, so that no limit of a person is met.
  const resolveActor = async () => ({ ...SOMEBODY, userId: randomUUID() });
  media = await mediaApp(createOutbound(LIMITS, world), { resolveActor });
});
afterAll(async () => {
  await media.close();
  bait.takeUp();
});
beforeEach(() => {
  bait.connections = 0;
  names = ['127.0.0.1'];
  port = bait.port;
  isPublic = isPublicAddress;
});

const INSIDE = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
];

const TRICKS = [
  'https://127.0.0.1/a.png',
  'http://127.0.0.1/a.png',
  'https:/127.0.0.1/a.png',
  'https:127.0.0.1',
  '//127.0.0.1/a.png',
  '///127.0.0.1/a.png',
  '/\\127.0.0.1/a.png',
  'storage//127.0.0.1/a.png',
  'storage/\\127.0.0.1/a.png',
  'storage/..%2f..%2f127.0.0.1',
  'storage/%2f%2f127.0.0.1/a.png',
  'storage/@127.0.0.1/a.png',
  'storage/%40127.0.0.1/a.png',
  'storage@127.0.0.1/a.png',
  'storage:x@127.0.0.1/a.png',
  'storage.127.0.0.1.nip.io/a.png',
  'storage/../127.0.0.1/a.png',
  'storage/%2e%2e/%2e%2e/a.png',
  'storage/http%3a%2f%2f127.0.0.1%2fa.png',
  'storage/https%3A%2F%2F169.254.169.254%2Flatest',
  'storage/%0d%0aHost:%20127.0.0.1',
  'storage/a.png%00@127.0.0.1',
  'storage/2130706433:443/a.png',
  'storage/[::1]/a.png',
  'storage/0x7f.1:80',
  'storage/%25%32%66127.0.0.1',
  'storage/localhost:443',
  'localhost/a.png',
  'gopher://127.0.0.1:5432/_x',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
];

const ask = (url: string) => media.app.inject(url);

describe('the proxy of pictures and the inside of the network', () => {
  it('A25 the bait is taken where nothing forbids it', async () => {
    isPublic = () => true;
    expect((await ask('/_img/w_64/storage/a.png')).statusCode).toBe(502);
    expect(bait.connections).toBe(1);
  });

  it('A25 A26 no name that leads inside, by any of its addresses, brings a connection', async () => {
    for (const address of INSIDE) {
      for (const found of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
        names = found;
        const response = await ask('/_img/w_64/storage/a.png');
        expect([response.statusCode, response.json().message], address).toEqual([403, 'Forbidden host']);
      }
    }
    expect(bait.connections).toBe(0);
  });

  it('A25 no address that a client makes up brings a connection, or gets past 400 and 403', async () => {
    // Even where a connection would be allowed.
    isPublic = () => true;
    for (const trick of TRICKS) {
      for (const url of [`/_img/w_64/${trick}`, `/_img/_/${trick}`, `/_img/w_64&f_webp%2F${trick}`]) {
        expect([400, 403, 404], url).toContain((await ask(url)).statusCode);
      }
    }
    expect(bait.connections).toBe(0);
    expect(INSIDE.length + TRICKS.length).toBeGreaterThanOrEqual(60);
  });

  it.each([301, 302, 303, 307, 308])('F-C3 A25 an answer of %i leads to no other host: 403', async (status) => {
    const places = [
      `http://127.0.0.1:${bait.port}/latest/meta-data/`,
      `https://127.0.0.1:${bait.port}/`,
      'https://169.254.169.254/latest/meta-data/',
      'https://evil.example/a.png',
      '//evil.example/a.png',
      'https://media.example@evil.example/',
      'https://media.example.evil.example/',
      'http://media.example/a.png',
      'file:///etc/passwd',
    ];
    isPublic = () => true;
    for (const location of places) {
      const moving = http.createServer((_request, response) => response.writeHead(status, { location }).end('MARKER'));
      await once(moving.listen(0, '127.0.0.1'), 'listening');
      port = (moving.address() as AddressInfo).port;
      const response = await ask(`/_img/w_64/storage/moved-${status}.png`);
      expect([response.statusCode, response.json()], location).toEqual([
        403,
        { message: 'Forbidden host', code: 'forbidden' },
      ]);
      expect(JSON.stringify(response.headers)).not.toMatch(/evil|169[.]254|MARKER/);
      moving.close();
    }
    expect(bait.connections).toBe(0);
  });

  it('F-C3 A26 a redirect inside the media host is looked up anew, and leads nowhere inside the network', async () => {
    const moving = http.createServer((_request, response) => {
      // The name has been moved by the time it is asked again.
      isPublic = isPublicAddress;
      port = bait.port;
      response.writeHead(302, { location: '/moved.png' }).end();
    });
    await once(moving.listen(0, '127.0.0.1'), 'listening');
    port = (moving.address() as AddressInfo).port;
    isPublic = () => true;
    expect((await ask('/_img/w_64/storage/rebound.png')).statusCode).toBe(403);
    expect(bait.connections).toBe(0);
    moving.close();
  });
});
