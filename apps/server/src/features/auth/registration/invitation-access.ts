import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** What signing up needs of invitations; the composition root adapts the feature to it. */
export interface InvitationAccess {
  /** Takes the one use of an invitation; null when it has no force. */
  claim(tx: Transaction, token: string): Promise<{ readonly id: string; readonly facilityName: string } | null>;
  /** Makes the person a member by a claimed invitation; null when it was revoked since, or they are one already. */
  join(
    tx: Transaction,
    who: { readonly invitationId: string; readonly userId: string },
  ): Promise<{ readonly facilityId: string; readonly changes: readonly Publication[] } | null>;
}
