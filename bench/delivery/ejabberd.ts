import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../apps/server/src/platform/postgres/server-process.ts';
import { Arrivals, type ChatServer } from './chat-server.ts';
import { SAID_BEFORE } from './hospital.ts';

/** Where Debian's packages put Erlang, the libraries and the tables of ejabberd. */
const ERLANG = '/usr/bin/erl';
const LIBRARIES = '/usr/lib/x86_64-linux-gnu';
const TABLES = '/usr/share/ejabberd/sql/pg.sql';

const ROOMS = 'conference.localhost';
const STREAM =
  "<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";

export function isEjabberdInstalled(): boolean {
  return existsSync(ERLANG) && existsSync(TABLES);
}

/**
 * ejabberd as Debian packages it. A chat is a room (XEP-0045); its messages go into the archive (XEP-0313), in ejabberd's own
 * database, as it is set up by the package, or in a database of a PostgreSQL (package erlang-p1-pgsql). A message is acknowledged
 * when it comes back to who sent it.
 */
export async function startEjabberd(dataDir: string, postgresUrl: string | null): Promise<ChatServer> {
  const folder = join(dataDir, 'ejabberd');
  mkdirSync(folder);
  const port = await freePort();
  const settings = join(folder, 'ejabberd.yml');
  writeFileSync(settings, JSON.stringify({ ...settingsOf(port), ...(postgresUrl && (await inPostgres(postgresUrl))) }));
  const child = spawn(
    ERLANG,
    ['-noinput', '+K', 'true', '+P', '250000', '-mnesia', 'dir', JSON.stringify(join(folder, 'db')), '-s', 'ejabberd'],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ERL_LIBS: LIBRARIES,
        EJABBERD_CONFIG_PATH: settings,
        EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
      },
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (!(await isListening(port, () => child.exitCode !== null))) {
    child.kill('SIGKILL');
    throw new Error('ejabberd does not start');
  }
  let runs = 0;
  return {
    name: 'ejabberd',
    pid: child.pid ?? 0,
    async open({ people, chats }) {
      const run = ++runs;
      const arrivals = new Arrivals();
      const members: Member[] = [];
      for (let n = 0; n < people; n++) {
        members.push(await enter(port, { room: `chat-${run}-${n % chats}@${ROOMS}`, name: `member-${n}`, arrivals }));
      }
      await Promise.all(
        members.map(async ({ send }) => {
          for (let n = 0; n < (SAID_BEFORE * chats) / people; n++) await send('Said before');
        }),
      );
      return {
        arrivals,
        senders: (count) => members.slice(0, count).map(({ send }) => ({ send, close: async () => {} })),
        close() {
          for (const { socket } of members) socket.destroy();
        },
      };
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** What bounds people who write too much is off, as it is for Wardline. */
function settingsOf(port: number) {
  return {
    hosts: ['localhost'],
    loglevel: 'error',
    auth_method: ['anonymous'],
    anonymous_protocol: 'sasl_anon',
    listen: [{ port, ip: '127.0.0.1', module: 'ejabberd_c2s' }],
    modules: {
      mod_muc: {
        access_create: 'all',
        access_mam: 'all',
        access_persistent: 'all',
        max_users: 1_000,
        min_message_interval: 0,
        default_room_options: { mam: true, persistent: true, max_users: 1_000 },
      },
      mod_mam: { default: 'always' },
    },
  };
}

/** A database of its own in the PostgreSQL that Wardline stores in as well. */
async function inPostgres(postgresUrl: string): Promise<object> {
  const url = new URL(postgresUrl);
  await query(url, 'create database ejabberd');
  url.pathname = '/ejabberd';
  await query(url, readFileSync(TABLES, 'utf8'));
  return {
    default_db: 'sql',
    sql_type: 'pgsql',
    sql_server: url.hostname,
    sql_port: Number(url.port),
    sql_database: 'ejabberd',
    sql_username: decodeURIComponent(url.username),
    sql_password: decodeURIComponent(url.password),
  };
}

async function query(url: URL, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text);
  await client.end();
}

interface Member {
  readonly socket: Socket;
  send(body: string): Promise<void>;
}

/** Signs somebody in without a name (XEP-0175), enters the room, and counts from then on what is said there. */
async function enter(
  port: number,
  { room, name, arrivals }: { room: string; name: string; arrivals: Arrivals },
): Promise<Member> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const answer = readUntil(socket);
  socket.write(STREAM);
  await answer('</stream:features>');
  socket.write("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>");
  await answer('<success');
  socket.write(STREAM);
  await answer('</stream:features>');
  socket.write("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>");
  await answer('</iq>');
  const withoutHistory = "<x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x>";
  socket.write(`<presence to='${room}/${name}'>${withoutHistory}</presence>`);
  await answer('<subject');

  const awaited = new Map<string, () => void>();
  let rest = '';
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    const stanzas = (rest + chunk.toString('latin1')).split('</message>');
    rest = stanzas.pop() ?? '';
    const said = stanzas.filter((stanza) => stanza.includes('<body>'));
    arrivals.add(said.length);
    for (const [id, acknowledge] of awaited) {
      if (said.some((stanza) => stanza.includes(id))) {
        awaited.delete(id);
        acknowledge();
      }
    }
  });
  return {
    socket,
    send(body) {
      const id = randomUUID();
      socket.write(`<message type='groupchat' to='${room}' id='${id}'><body>${body}</body></message>`);
      return new Promise((resolve) => awaited.set(id, resolve));
    },
  };
}

/** Reads until a mark has come; what came with it is done with. */
function readUntil(socket: Socket): (mark: string) => Promise<void> {
  let text = '';
  let look = () => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    look();
  });
  return (mark) =>
    new Promise((resolve, reject) => {
      socket.once('close', () => reject(new Error(`ejabberd closed the connection before ${mark}: ${text}`)));
      look = () => {
        if (!text.includes(mark)) return;
        text = '';
        socket.removeAllListeners('close');
        resolve();
      };
      look();
    });
}

/** Waits for half a minute at most. */
async function isListening(port: number, hasEnded: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 300; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return true;
    if (hasEnded()) return false;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}
