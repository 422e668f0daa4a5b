import type { GivenRole } from '#/platform/config/oidc-settings.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** What the first set-up, and the groups of a provider, need of facilities; the composition root adapts the feature to it. */
export interface FacilityAccess {
  /** Makes a facility with the shipped roles. Refuses a zone that there is not. */
  make(tx: Transaction, facility: NewFacility): Promise<{ readonly facilityId: string }>;
  /** Makes somebody a member who administers the facility. */
  admitAdministrator(tx: Transaction, who: { readonly facilityId: string; readonly userId: string }): Promise<void>;
  /** Where a person has, or by these groups is to have, roles from a provider; and what of it there is not here. */
  findProvided(db: Database, wanted: WantedRoles): Promise<ProvidedPlan>;
  /** Brings a person's roles in one facility in line; those given by hand stay. Null where they are already. */
  follow(
    tx: Transaction,
    who: { readonly userId: string; readonly issuer: string; readonly facilityId: string },
    roleIds: readonly string[],
  ): Promise<FollowedRoles | null>;
}

export interface WantedRoles {
  readonly userId: string;
  readonly issuer: string;
  readonly roles: readonly GivenRole[];
}

export interface ProvidedPlan {
  readonly facilities: ReadonlyMap<string, readonly string[]>;
  /** Named in the settings, and not there. */
  readonly missing: readonly GivenRole[];
}

export interface FollowedRoles {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly membership: 'added' | 'changed' | 'removed';
  readonly changes: readonly Publication[];
}

export interface NewFacility {
  readonly name: string;
  readonly code: string;
  readonly timeZone: string;
  /** HH:MM. */
  readonly censusTime: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}
