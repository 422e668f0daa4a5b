import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { signImages as endpoint } from '@wardline/contract/image-addresses.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type AddressSignatures, SIGNED_FOR_S } from '#/platform/http/signed-addresses.ts';
import type { ImageProxy } from './image-proxy.ts';
import { readImageAddress } from './serve.ts';

export interface SignImagesDeps {
  readonly proxy: Pick<ImageProxy, 'mustSee'>;
  readonly signatures: Pick<AddressSignatures, 'sign'>;
}

/**
 * Signs what this person may see now. It gives no right: each use of such an address asks again who they are and what they
 * may see, so it ends with the session and the right.
 */
export function signImages({ proxy, signatures }: SignImagesDeps) {
  return async (
    { actor }: Pick<RequestContext, 'actor'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const addresses: (string | null)[] = [];
    // One after the other: a page's pictures must not take every connection to the database.
    for (const address of body.addresses) {
      const isSeen = await maySee(proxy, actor, address);
      addresses.push(isSeen ? signatures.sign(address, actor.credential.key) : null);
    }
    return { addresses, expires_in_s: SIGNED_FOR_S };
  };
}

async function maySee(proxy: SignImagesDeps['proxy'], actor: Actor, address: string): Promise<boolean> {
  try {
    await proxy.mustSee({ actor, path: readImageAddress(address).path });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
