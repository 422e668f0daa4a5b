import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { createSessionCookies, hashSecret, newSessionId } from '../../apps/server/src/platform/http/session-cookie.ts';
import { openHospital } from '../delivery/hospital.ts';

/** One request of the mix, by whoever is next. */
export interface Mix {
  send(): Promise<Answer>;
  /** Everybody opens a chat, and their browser keeps the connection. */
  connectAll(): Promise<void>;
  close(): void;
}

export interface Answer {
  readonly kind: Kind;
  /** Or the code of the error, where no answer came. */
  readonly status: number | string;
  readonly hasRetryAfter: boolean;
}

export type Kind = 'read' | 'post' | 'search' | 'upload';

const HOSPITALS = 10;
const SIZE = { people: 100, chats: 1 };
const TUS = { 'tus-resumable': '1.0.0' };
const CONNECTIONS_OF_A_BROWSER = 6;
const AT_ONCE = 16;
const WORDS = ['chart', 'ready', 'potassium', 'before'];
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);
const BODY = 'K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate now, then insulin with glucose.';
/** Of a hundred: 70 read, 20 post, 5 search, 5 upload, spread evenly. */
const KINDS: readonly Kind[] = Array.from({ length: 100 }, (_, n) => {
  if (n % 5 === 2) return 'post';
  if (n % 20 === 1) return 'search';
  return n % 20 === 11 ? 'upload' : 'read';
});

/**
 * 1,000 people of 10 hospitals with a browser session each, who read chats (70 of a hundred), post messages (20), search (5) and upload files
 * (5) in turns, so that what one of them may do in a second is not what answers.
 */
export async function openMix(
  port: number,
  { databaseUrl, appKey }: { databaseUrl: string; appKey: string },
): Promise<Mix> {
  const cookies = createSessionCookies(Buffer.from(appKey), false);
  const people: Browser[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  for (let n = 0; n < HOSPITALS; n++) {
    const { members, chatIds } = await openHospital(databaseUrl, SIZE);
    const sessions = members.map(({ userId }) => ({ userId, id: newSessionId() }));
    await client.query(
      `insert into sessions (id_hash, user_id, expires_at)
       select hash, id, now() + interval '1 day' from unnest($1::bytea[], $2::uuid[]) as given (hash, id)`,
      [sessions.map(({ id }) => hashSecret(id)), sessions.map(({ userId }) => userId)],
    );
    for (const [index, { id }] of sessions.entries()) {
      const token = cookies.csrfToken(id);
      const headers = { cookie: `wardline_session=${id}; XSRF-TOKEN=${token}`, 'x-xsrf-token': token };
      const chatId = chatIds[index % chatIds.length] ?? '';
      people.push({
        port,
        headers,
        chatId,
        agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS_OF_A_BROWSER }),
      });
    }
  }
  await client.end();
  // Dealt like cards: who follows whom is of another hospital.
  const dealt = people.map((_, n) => people[(n % HOSPITALS) * SIZE.people + Math.floor(n / HOSPITALS)] ?? people[0]);
  let turn = 0;
  return {
    async send() {
      const n = turn++;
      const browser = dealt[n % dealt.length];
      const kind = KINDS[n % KINDS.length] ?? 'read';
      if (browser === undefined) throw new Error('nobody is there');
      const { status, hasRetryAfter } = await acts[kind](browser, n);
      return { kind, status, hasRetryAfter };
    },
    async connectAll() {
      for (let n = 0; n < people.length; n += AT_ONCE) {
        await Promise.all(people.slice(n, n + AT_ONCE).map((browser) => acts.read(browser, 1)));
      }
    },
    close() {
      for (const { agent } of people) agent.destroy();
    },
  };
}

interface Browser {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chatId: string;
  readonly agent: Agent;
}

type Act = (browser: Browser, n: number) => Promise<Reply>;

const acts: Readonly<Record<Kind, Act>> = {
  read(browser, n) {
    const path = `/api/chats/${browser.chatId}`;
    return ask(browser, { method: 'GET', path: n % 2 === 0 ? `${path}/messages` : path });
  },
  post(browser) {
    const body = Buffer.from(JSON.stringify({ client_id: randomUUID(), body: BODY }));
    const headers = { 'content-type': 'application/json' };
    return ask(browser, { method: 'POST', path: `/api/chats/${browser.chatId}/messages`, body, headers });
  },
  search(browser, n) {
    return ask(browser, { method: 'GET', path: `/api/search?q=${WORDS[n % WORDS.length]}` });
  },
  /** Begins an upload and gives all of it; what is answered last counts. */
  async upload(browser) {
    const begun = await ask(browser, {
      method: 'POST',
      path: `/api/chats/${browser.chatId}/uploads`,
      headers: {
        ...TUS,
        'upload-length': String(PDF.length),
        'upload-metadata': `filename ${Buffer.from('report.pdf').toString('base64')}`,
      },
    });
    if (begun.status !== 201) return begun;
    return ask(browser, {
      method: 'PATCH',
      path: `/api/uploads/${(JSON.parse(begun.text) as { id: string }).id}`,
      headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: PDF,
    });
  },
};

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Reply {
  readonly status: number | string;
  readonly text: string;
  readonly hasRetryAfter: boolean;
}

function ask(browser: Browser, { method, path, headers, body }: Ask): Promise<Reply> {
  return new Promise((resolve) => {
    const none = ({ code = 'no answer' }: NodeJS.ErrnoException) =>
      resolve({ status: code, text: '', hasRetryAfter: false });
    const sent = request({
      ...{ host: '127.0.0.1', port: browser.port, agent: browser.agent, method, path },
      headers: { ...browser.headers, ...headers, 'content-length': body?.length ?? 0 },
    });
    sent.on('error', none);
    sent.on('response', (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => (text += String(chunk)));
      reply.on('error', none);
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, text, hasRetryAfter: reply.headers['retry-after'] !== undefined });
      });
    });
    sent.end(body);
  });
}
