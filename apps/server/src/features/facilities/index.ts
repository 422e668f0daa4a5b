// Facilities and who belongs to them: what a member sees of the others, and how a membership ends.
// What members do there lives with the feature that does it.

import type { Transaction } from '#/platform/http/context.ts';
import type { Route } from '#/platform/http/route.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { ownData } from './core/own-data.ts';
import { channels } from './core/policy.ts';
import { lockMembers } from './core/role-queries.ts';
import { admitWithRole, makeFacility, type NewFacility } from './make-facility.ts';
import { type MemberDirectory, memberDirectory } from './members/directory.ts';
import { findSoleFacilities, leaveFacilities } from './members/leave-facilities.ts';
import { membersChanged } from './members/members-changed.ts';
import type { RemoveMemberDeps } from './members/remove-member.ts';
import { findProvided, follow } from './roles/follow-provider.ts';
import type { RoleUseDeps } from './roles/get-role-use.ts';
import { SHIPPED_ROLES } from './roles/shipped-roles.ts';
import { routes } from './routes.ts';
import type { InviteDeps } from './system/create-facility.ts';

export { SHIPPED_ROLES, type ShippedRole } from './roles/shipped-roles.ts';

/** For single sign-on: what a provider's groups give. */
interface ProvidedRoles {
  readonly findProvided: typeof findProvided;
  readonly follow: typeof follow;
}

export interface FacilitiesFeature extends ProvidedRoles {
  readonly routes: Route[];
  readonly ownData: readonly OwnDataList[];
  readonly channels: readonly ChannelRule[];
  /** For SCIM. */
  readonly directory: MemberDirectory;
  /** For the end of an account. */
  readonly findSoleFacilities: typeof findSoleFacilities;
  readonly leave: typeof leaveFacilities;
  /** For the first set-up: a facility with the shipped roles, in the caller's transaction. */
  make(tx: Transaction, facility: NewFacility): Promise<{ readonly facilityId: string }>;
  /** For the first set-up: its administrator. */
  admitAdministrator(tx: Transaction, who: { readonly facilityId: string; readonly userId: string }): Promise<void>;
}

export function facilitiesFeature(deps: RemoveMemberDeps & RoleUseDeps & InviteDeps): FacilitiesFeature {
  const administratorRole = SHIPPED_ROLES.facilityAdministrator.name;
  return {
    routes: routes({
      ...{ ...deps, make: makeFacility, lockMembers, administratorRole },
      membersChanged: (tx, facilityId) => membersChanged(tx, { facilityId, rightsChanged: deps.rightsChanged }),
    }),
    channels,
    ownData,
    make: makeFacility,
    directory: memberDirectory,
    findProvided,
    follow,
    findSoleFacilities,
    leave: leaveFacilities,
    admitAdministrator: (tx, who) => admitWithRole(tx, { ...who, role: 'facilityAdministrator' }),
  };
}
