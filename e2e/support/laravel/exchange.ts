import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its answer, as a fake back end handles them. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly header: (name: string) => string;
  readonly cookies: ReadonlyMap<string, string>;
  /** What was sent as JSON; an empty object where nothing was. */
  readonly body: unknown;
  setCookie(line: string): void;
  json(status: number, body: unknown, headers?: Record<string, string>): void;
  html(status: number, text: string): void;
  empty(status: number, headers?: Record<string, string>): void;
  /** The connection breaks without an answer. */
  cut(): void;
}

export async function openExchange(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const url = new URL(request.url ?? '/', 'http://laravel.test');
  const header = (name: string) => String(request.headers[name] ?? '');
  const text = await readText(request);
  const setCookies: string[] = [];
  const send = (status: number, headers: Record<string, string>, content?: string): void => {
    if (response.headersSent || response.destroyed) return;
    response.writeHead(status, { ...headers, ...(setCookies.length > 0 ? { 'set-cookie': setCookies } : {}) });
    response.end(content);
  };
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    header,
    cookies: readCookies(header('cookie')),
    body: parse(text),
    setCookie: (line) => void setCookies.push(line),
    json: (status, body, headers = {}) =>
      send(
        status,
        { 'content-type': 'application/json', 'cache-control': 'no-cache, private', ...headers },
        JSON.stringify(body),
      ),
    html: (status, content) => send(status, { 'content-type': 'text/html; charset=UTF-8' }, content),
    empty: (status, headers = {}) => send(status, headers),
    cut: () => void request.socket.destroy(),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return {};
  }
}

function readCookies(line: string): Map<string, string> {
  const pairs = line.split('; ').filter((pair) => pair.includes('='));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
