// Facilities and who belongs to them: what a member sees of the others, and how a membership ends.
// What members do there lives with the feature that does it.

import type { Transaction } from '#/platform/http/context.ts';
import type { Route } from '#/platform/http/route.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { findProvided, follow } from './follow-provider.ts';
import { admitWithRole, makeFacility, type NewFacility } from './make-facility.ts';
import { channels } from './policy.ts';
import type { RemoveMemberDeps } from './remove-member.ts';
import { lockMembers } from './role-queries.ts';
import { routes } from './routes.ts';
import { SHIPPED_ROLES } from './shipped-roles.ts';
import type { InviteDeps } from './system/create-facility.ts';

export { SHIPPED_ROLES, type ShippedRole } from './shipped-roles.ts';

/** For single sign-on: what a provider's groups give. */
interface ProvidedRoles {
  readonly findProvided: typeof findProvided;
  readonly follow: typeof follow;
}

export interface FacilitiesFeature extends ProvidedRoles {
  readonly routes: Route[];
  readonly channels: readonly ChannelRule[];
  /** For the first set-up: a facility with the shipped roles, in the caller's transaction. */
  make(tx: Transaction, facility: NewFacility): Promise<{ readonly facilityId: string }>;
  /** For the first set-up: its administrator. */
  admitAdministrator(tx: Transaction, who: { readonly facilityId: string; readonly userId: string }): Promise<void>;
}

export function facilitiesFeature(deps: RemoveMemberDeps & InviteDeps): FacilitiesFeature {
  const administratorRole = SHIPPED_ROLES.facilityAdministrator.name;
  return {
    routes: routes({ ...deps, make: makeFacility, lockMembers, administratorRole }),
    channels,
    make: makeFacility,
    findProvided,
    follow,
    admitAdministrator: (tx, who) => admitWithRole(tx, { ...who, role: 'facilityAdministrator' }),
  };
}
