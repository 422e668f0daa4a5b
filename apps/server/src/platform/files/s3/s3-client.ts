import { createHash } from 'node:crypto';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import type { Log } from '#/platform/log.ts';
import { readErrorCode } from './s3-answers.ts';
import { signRequest } from './sign-request.ts';

export interface S3Limits {
  /** How long nothing may be heard: until the answer begins, and between two pieces of it. */
  readonly silenceMs: number;
  /** Beside that, what is sent may take as long as a slow line needs. */
  readonly bytesPerMs: number;
  /** How often something is asked in all. */
  readonly tries: number;
  /** Before the second try; twice as long before each one after. */
  readonly pauseMs: number;
}

const S3_LIMITS: S3Limits = { silenceMs: 15_000, bytesPerMs: 512, tries: 4, pauseMs: 200 };

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Behind the prefix; without one the bucket is asked. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** S3 could not be asked, or refused. `code` is its own, such as `NoSuchKey`, or that of the connection, such as `ECONNREFUSED`. */
export class S3Error extends Error {
  /** Null where no answer came. */
  readonly status: number | null;
  readonly code: string;

  constructor({ status, code, cause }: { status: number | null; code: string; cause?: unknown }) {
    super(`S3 answered ${status ?? 'nothing'}: ${code}`, { cause });
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
  }

  /** It may go well a moment later. */
  get isPassing(): boolean {
    return this.status === null || [408, 429, 500, 502, 503, 504].includes(this.status);
  }
}

/** What is read of a failure, or of a list. */
const MOST_TEXT = 4 * 1024 * 1024;

export type S3Client = ReturnType<typeof createS3Client>;

/**
 * Asks S3: signed, body included; over connections that are kept; given up when nothing is heard; tried again where it may pass. Every
 * request here says what is to be, not what to add, so that doing it twice is doing it once.
 */
export function createS3Client(settings: S3Settings, log: Log, limits: S3Limits = S3_LIMITS) {
  const isPlain = settings.endpoint.startsWith('http:');
  const agent = new (isPlain ? http : https).Agent({ keepAlive: true, maxSockets: 64 });
  const send = isPlain ? http.request : https.request;

  async function askOnce({ method, name, query, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const url = addressOf(settings, name, query);
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await signRequest({ method, url, headers, sha256 }, settings);
    const sent =
      body !== undefined || method === 'PUT' || method === 'POST' ? { 'content-length': body?.length ?? 0 } : {};
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, { method, agent, headers: { ...signed, ...sent, 'user-agent': 'Wardline' } });
      const patienceMs = limits.silenceMs + (body?.length ?? 0) / limits.bytesPerMs;
      const silence = setTimeout(() => request.destroy(tooSlow()), patienceMs);
      request.once('close', () => clearTimeout(silence));
      request.on('error', reject);
      request.once('response', (response) => {
        clearTimeout(silence);
        resolve(response);
      });
      request.end(body);
    }).catch((error: unknown) => {
      throw error instanceof S3Error ? error : new S3Error({ status: null, code: codeOf(error), cause: error });
    });
    const { statusCode = 0 } = answer;
    if (statusCode >= 200 && statusCode < 300) return answer;
    const text = method === 'HEAD' ? '' : await readText(answer).catch(() => '');
    answer.destroy();
    throw new S3Error({ status: statusCode, code: readErrorCode(text) ?? `HTTP ${statusCode}` });
  }

  async function tryAgain<Read>(request: S3Request, read: (answer: IncomingMessage) => Promise<Read>): Promise<Read> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await askOnce(request));
      } catch (error) {
        if (!(error instanceof S3Error) || !error.isPassing || attempt >= limits.tries) throw error;
        const { status, code } = error;
        log.warn({ status, code, method: request.method, attempt }, 'the object storage is asked again');
        // Not all at the same moment: many requests may have failed together.
        await sleep(limits.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
      }
    }
  }

  async function readText(answer: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of piecesOf(answer)) {
      size += piece.length;
      if (size > MOST_TEXT) throw new S3Error({ status: null, code: 'answer too large' });
      pieces.push(piece);
    }
    return String(Buffer.concat(pieces, size));
  }

  /** What comes, piece by piece; silence while it is waited for, and an end before all was there, are S3Errors. */
  async function* piecesOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        const silence = setTimeout(() => answer.destroy(tooSlow()), limits.silenceMs);
        const { done, value } = await pieces.next().finally(() => clearTimeout(silence));
        if (done) break;
        yield value;
      }
      if (!answer.complete) throw new S3Error({ status: null, code: 'broken off' });
    } catch (error) {
      throw error instanceof S3Error ? error : new S3Error({ status: null, code: codeOf(error), cause: error });
    } finally {
      answer.destroy();
    }
  }

  return {
    /** Resolves to the answer where it is one of success; its body is still to be read. Throws an S3Error, as all of these do. */
    open: (request: S3Request) => tryAgain(request, async (answer) => answer),
    /** The head of the answer; what follows is read and dropped, so that the connection can be used again. */
    async head(request: S3Request): Promise<IncomingHttpHeaders> {
      const answer = await tryAgain(request, async (given) => given);
      answer.on('error', () => undefined).resume();
      return answer.headers;
    },
    /** The body as text. */
    text: (request: S3Request) => tryAgain(request, readText),
    piecesOf,
    close: () => agent.destroy(),
  };
}

function addressOf(settings: S3Settings, name?: string, query: Readonly<Record<string, string>> = {}): URL {
  const { endpoint, bucket, pathStyle, prefix } = settings;
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const root = url.pathname.replace(/\/$/, '');
  url.pathname = `${root}${pathStyle ? `/${bucket}` : ''}/${name === undefined ? '' : prefix + name}`;
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return url;
}

function tooSlow(): S3Error {
  return new S3Error({ status: null, code: 'too slow' });
}

function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? code : 'connection failed';
}
