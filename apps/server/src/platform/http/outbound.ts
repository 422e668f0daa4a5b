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

/** Fetches from the hosts that the operator named, and from nowhere else. */
export interface Outbound {
  /** Throws an OutboundError when there is no whole answer. */
  get(url: URL): Promise<OutboundAnswer>;
}

export type OutboundFailure = 'refused' | 'unreachable' | 'too_large' | 'too_slow';

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

/**
 * Asks by HTTPS on port 443, follows nothing, sends no cookie and nothing of the request that caused it, unpacks nothing.
 * A name is resolved once, in the connection's own look-up; one address among its answers that is not public refuses it,
 * and the connection goes to the very address that was checked.
 */
export function createOutbound(limits: OutboundLimits, world: OutboundWorld = INTERNET): Outbound {
  const gate = createGate(limits);
  return {
    get: (url) => {
      refuseUnlessOrdinary(url, world);
      return gate.run(() => fetchOnce(url, { limits, world }));
    },
  };
}

function refuseUnlessOrdinary(url: URL, { isPublic }: OutboundWorld): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isOrdinary = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  // An address in place of a name is never looked up.
  if (!isOrdinary || host === '' || (isIP(host) !== 0 && !isPublic(host))) throw new OutboundError('refused');
}

interface Asking {
  readonly limits: OutboundLimits;
  readonly world: OutboundWorld;
}

async function fetchOnce(url: URL, { limits, world }: Asking): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await ask(url, { world, signal });
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
  } catch (error) {
    if (signal.aborted) throw new OutboundError('too_slow', error);
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('unreachable', error);
  }
}

function ask(
  url: URL,
  { world, signal }: { readonly world: OutboundWorld; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'GET',
      // A connection of its own: a kept one would have been checked for an earlier request.
      agent: false,
      lookup: checkedLookup(world),
      signal,
      maxHeaderSize: 16 * 1024,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Wardline' },
    };
    world.request(url, options).once('response', resolve).once('error', reject).end();
  });
}

function checkedLookup({ resolve, isPublic }: OutboundWorld): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isPublic(address))) {
          done(new OutboundError('refused'), '', 0);
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
