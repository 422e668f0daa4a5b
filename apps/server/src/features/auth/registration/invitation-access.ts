import type { Database } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** What signing up needs of invitations; the composition root adapts the feature to it. */
export interface InvitationAccess {
  /**
   * Holds an invitation until the transaction ends, without using it up; null when it has no force. By its id it is that
   * of a registration, which was in time.
   */
  hold(
    tx: Transaction,
    by: { readonly token: string } | { readonly id: string },
  ): Promise<{ readonly id: string; readonly facilityName: string } | null>;
  /** Whether that of a registration still lets somebody in: nobody used or revoked it meanwhile. */
  stands(db: Database, id: string): Promise<boolean>;
  /** Makes the person a member by an invitation that is held, which uses it up; null when they are one already. */
  join(
    tx: Transaction,
    who: { readonly invitationId: string; readonly userId: string },
  ): Promise<{ readonly facilityId: string; readonly changes: readonly Publication[] } | null>;
}
