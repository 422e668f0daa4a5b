import type { CustomFetch } from 'openid-client';

/** Discovery documents, keys, tokens and claims are a few kB. */
const MOST_BYTES = 1024 * 1024;

/**
 * Asks a provider that the operator named: it may be inside the hospital's network, which `platform/http/outbound.ts` never asks. So by https
 * alone (http where the issuer itself is on this machine), no redirect is followed, and no answer is longer than 1 MB.
 */
export function createProviderFetch(issuer: string): CustomFetch {
  const mayBeHttp = issuer.startsWith('http:');
  return async (url, options) => {
    if (!url.startsWith('https:') && !mayBeHttp) throw new Error('a provider named an address without https');
    const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
    const body = await readWithin(response, MOST_BYTES);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

async function readWithin(response: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.length;
    // Leaving the loop cancels the body and with it the connection.
    if (size > most) throw new Error('a provider’s answer is too long');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces, size));
}
