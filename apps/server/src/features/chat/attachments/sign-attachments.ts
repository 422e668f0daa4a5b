import type * as contract from '@wardline/contract/chat/uploads.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type AddressSignatures, SIGNED_FOR_S } from '#/platform/http/signed-addresses.ts';
import { requireAttachment } from './serve-attachments.ts';

type Endpoint = typeof contract.signAttachments;

export interface SignAttachmentsDeps {
  readonly signatures: Pick<AddressSignatures, 'sign'>;
}

/** For pages that keep no cookie. A signed address gives no right: each use of it asks again, as without it. */
export function signAttachments({ signatures }: SignAttachmentsDeps) {
  return async ({ actor, db }: RequestContext, { body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const addresses: (string | null)[] = [];
    // One after the other: a page's pictures must not take every connection to the database.
    for (const address of body.addresses) {
      const isSeen = await requireAttachment(db, actor, address).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.status < 500) return false;
          throw error;
        },
      );
      addresses.push(isSeen ? signatures.sign(address, actor.credential.key) : null);
    }
    return { addresses, expires_in_s: SIGNED_FOR_S };
  };
}
