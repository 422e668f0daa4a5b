import { SIGNED_AT_ONCE, signImages } from '@wardline/contract/image-addresses.ts';
import type { Call } from '#/http/call.ts';
import type { ImageSources } from './image-sources.ts';

export interface ImageSignerDeps {
  readonly call: Call;
  /** Who signs; the image proxy unless told. It takes and answers as that does. */
  readonly endpoint?: typeof signImages;
  /** Where the proxy is, as the configuration says; empty means the page's own origin. */
  readonly origin: string;
  /** Milliseconds of a clock that never jumps. */
  readonly now?: () => number;
}

/** Makes addresses that `<img>` can load in token mode, where it sends neither a cookie nor the token (IMG-1). */
export interface ImageSigner {
  /** The same sources, with addresses that hold for a minute; null where the picture may not be seen. Rejects with the ApiError. */
  sign(sources: ImageSources): Promise<ImageSources | null>;
}

interface Signed {
  readonly address: string | null;
  readonly untilMs: number;
}

interface Asked {
  readonly resolve: (signed: Signed) => void;
  readonly reject: (error: unknown) => void;
}

/** Before an address is late, so that a picture still begins to load. */
const MARGIN_MS = 10_000;

/** Asks for all addresses of one moment together, and for each again only when it is late. */
export function createImageSigner(deps: ImageSignerDeps): ImageSigner {
  const { call, origin, endpoint = signImages, now = () => performance.now() } = deps;
  const known = new Map<string, Signed>();
  let waiting = new Map<string, Asked[]>();

  const ask = async (batch: readonly (readonly [address: string, asked: readonly Asked[]])[]): Promise<void> => {
    const startedAt = now();
    const body = { addresses: batch.map(([address]) => address) };
    const { addresses, expires_in_s } = await call(endpoint, { body });
    for (const [n, [address, asked]] of batch.entries()) {
      const signed = { address: addresses[n] ?? null, untilMs: startedAt + expires_in_s * 1000 - MARGIN_MS };
      known.set(address, signed);
      for (const { resolve } of asked) resolve(signed);
    }
  };
  const askAll = (): void => {
    const all = [...waiting];
    waiting = new Map();
    for (const [address, { untilMs }] of known) if (untilMs <= now()) known.delete(address);
    for (let from = 0; from < all.length; from += SIGNED_AT_ONCE) {
      const batch = all.slice(from, from + SIGNED_AT_ONCE);
      ask(batch).catch((error: unknown) => {
        for (const { reject } of batch.flatMap(([, asked]) => asked)) reject(error);
      });
    }
  };
  const signOne = async (address: string): Promise<string | null> => {
    const before = known.get(address);
    if (before !== undefined && before.untilMs > now()) return before.address;
    const { address: signed } = await new Promise<Signed>((resolve, reject) => {
      if (waiting.size === 0) queueMicrotask(askAll);
      waiting.set(address, [...(waiting.get(address) ?? []), { resolve, reject }]);
    });
    return signed;
  };
  const signAt = async (address: string): Promise<string | null> => {
    if (address.startsWith('blob:')) return address;
    const signed = await signOne(address);
    return signed === null ? null : origin + signed;
  };

  return {
    async sign({ src, srcSet, ...rest }) {
      const candidates = srcSet === '' ? [] : srcSet.split(', ').map((candidate) => candidate.split(' '));
      const [signedSrc, ...signed] = await Promise.all(
        [src, ...candidates.map(([address = '']) => address)].map(signAt),
      );
      if (signedSrc === undefined || signedSrc === null) return null;
      const variants = candidates.map(([, size = ''], n) => `${signed[n] ?? ''} ${size}`);
      return { ...rest, src: signedSrc, srcSet: variants.join(', ') };
    },
  };
}
