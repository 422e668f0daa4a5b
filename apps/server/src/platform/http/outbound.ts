import dns from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createGate } from './concurrency-gate.ts';
import { isPublicAddress } from './public-address.ts';

/** What another server answered. */
export interface OutboundAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** What is handed to another server. */
export interface OutboundPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks the hosts that the operator named, and no others. */
export interface Outbound {
  /** Throws an OutboundError when there is no whole answer. `mayFollow` is asked where a redirect leads; none may unless told. */
  get(url: URL, mayFollow?: (to: URL) => boolean): Promise<OutboundAnswer>;
  /** Never follows a redirect, and does not read what is answered besides. */
  post(url: URL, post: OutboundPost): Promise<{ readonly status: number; readonly retryAfter: string | null }>;
}

/** `forbidden`: an address that is not to be asked, or a redirect to one; `refused`: an answer that is not to be taken. */
export type OutboundFailure = 'forbidden' | 'refused' | 'unreachable' | 'too_large' | 'too_slow' | 'too_many_redirects';

/** There was no answer, or none that could be taken. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, cause?: unknown) {
    super(`Another server could not be asked: ${failure}.`, { cause });
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

export interface OutboundLimits {
  readonly maxBytes: number;
  /** For all of it: name, connection, head and body. */
  readonly timeoutMs: number;
  readonly atOnce: number;
  readonly waiting: number;
}

/** What a test puts in the place of the Internet. Nothing outside the program can set it. */
export interface OutboundWorld {
  readonly request: (url: URL, options: RequestOptions) => ReturnType<typeof https.request>;
  readonly resolve: (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
  readonly isPublic: (address: string) => boolean;
}

const INTERNET: OutboundWorld = {
  request: https.request,
  resolve: (name) => dns.promises.lookup(name, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
};

/** A store of files leads to where a file lies by one or two; more is a circle. */
const MOST_REDIRECTS = 3;

/**
 * Asks by HTTPS on port 443, follows only where the caller says that it may, sends no cookie and nothing of the request that caused it, unpacks nothing.
 * A name is resolved once, in the connection's own look-up; one address among its answers that is not public refuses it,
 * and the connection goes to the very address that was checked.
 */
export function createOutbound(limits: OutboundLimits, world: OutboundWorld = INTERNET): Outbound {
  const gate = createGate(limits);
  return {
    get: (url, mayFollow) => {
      refuseUnlessOrdinary(url, world);
      return gate.run(() => fetchWithin(url, { limits, world, mayFollow }));
    },
    post: (url, post) => {
      refuseUnlessOrdinary(url, world);
      return gate.run(() => postWithin(url, { limits, world, post }));
    },
  };
}

function refuseUnlessOrdinary(url: URL, { isPublic }: OutboundWorld): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isOrdinary = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  // An address in place of a name is never looked up.
  if (!isOrdinary || host === '' || (isIP(host) !== 0 && !isPublic(host))) throw new OutboundError('forbidden');
}

interface Asking {
  readonly limits: OutboundLimits;
  readonly world: OutboundWorld;
  readonly mayFollow: ((to: URL) => boolean) | undefined;
}

/** One deadline for the answer and all that led to it. Each step is looked up and checked as the first one was. */
async function fetchWithin(from: URL, { limits, world, mayFollow }: Asking): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    let url = from;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await ask(url, { world, signal });
      const isRedirect = REDIRECTS.has(response.statusCode ?? 0);
      if (!isRedirect || mayFollow === undefined) return await readAnswer(response, limits);
      response.destroy();
      url = readLocation(response, url);
      if (!mayFollow(url)) throw new OutboundError('forbidden');
      refuseUnlessOrdinary(url, world);
    }
    throw new OutboundError('too_many_redirects');
  } catch (error) {
    if (signal.aborted) throw new OutboundError('too_slow', error);
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('unreachable', error);
  }
}

async function postWithin(
  url: URL,
  { limits, world, post }: Pick<Asking, 'limits' | 'world'> & { readonly post: OutboundPost },
): Promise<{ status: number; retryAfter: string | null }> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await ask(url, { world, signal, post });
    const { statusCode = 0, headers } = response;
    response.destroy();
    return { status: statusCode, retryAfter: headers['retry-after'] ?? null };
  } catch (error) {
    if (signal.aborted) throw new OutboundError('too_slow', error);
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('unreachable', error);
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function readLocation({ headers: { location } }: IncomingMessage, from: URL): URL {
  if (location === undefined || !URL.canParse(location, from.href)) throw new OutboundError('unreachable');
  return new URL(location, from);
}

async function readAnswer(response: IncomingMessage, limits: OutboundLimits): Promise<OutboundAnswer> {
  const { statusCode = 0, headers } = response;
  const isPacked = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isPacked || Number(headers['content-length'] ?? 0) > limits.maxBytes) {
    response.destroy();
    throw new OutboundError(isPacked ? 'refused' : 'too_large');
  }
  if (statusCode !== 200) {
    response.destroy();
    return { status: statusCode, body: Buffer.alloc(0) };
  }
  return { status: statusCode, body: await readAll(response, limits.maxBytes) };
}

function ask(
  url: URL,
  {
    world,
    signal,
    post,
  }: { readonly world: OutboundWorld; readonly signal: AbortSignal; readonly post?: OutboundPost },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: post ? 'POST' : 'GET',
      // A connection of its own: a kept one would have been checked for an earlier request.
      agent: false,
      lookup: checkedLookup(world),
      signal,
      maxHeaderSize: 16 * 1024,
      headers: {
        ...{ accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Wardline' },
        ...(post && { ...post.headers, 'content-length': post.body.length }),
      },
    };
    world.request(url, options).once('response', resolve).once('error', reject).end(post?.body);
  });
}

function checkedLookup({ resolve, isPublic }: OutboundWorld): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isPublic(address))) {
          done(new OutboundError('forbidden'), '', 0);
        } else if (options.all) {
          done(null, [{ address: first.address, family: first.family }]);
        } else {
          done(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the response and with it the connection.
    if (size > maxBytes) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
