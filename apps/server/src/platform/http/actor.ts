/** What a person is and may do in one facility, read from the database for this request. */
export interface ActorMembership {
  readonly id: string;
  readonly facilityId: string;
  readonly facilityName: string;
  readonly title: string | null;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** A system administrator has closed the facility. */
  readonly isDeactivated?: boolean;
}

/** A facility whose members need a second factor, now or from a day to come. */
export interface FactorRule {
  readonly facilityId: string;
  readonly facilityName: string;
  /** YYYY-MM-DD, on the facility's clock. */
  readonly from: string;
  /** Nothing of it is shown in this session. */
  readonly isClosed: boolean;
}

/** Who acts, and by what credential. `credential.key` names the session or token without revealing it. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerifiedAt: string | null;
  readonly isOperator: boolean;
  /** Names the person's picture; null without one. */
  readonly avatarKey: string | null;
  /** Of the facilities that are open in this session. */
  readonly memberships: readonly ActorMembership[];
  /** Of facilities that need a second factor, whether this session has given one or not. */
  readonly factorRules?: readonly FactorRule[];
  readonly hasSecondFactor?: boolean;
  /** After so many minutes without input the screen is covered; null on a device of one's own. */
  readonly lockAfterMinutes?: number | null;
  /** Where the facility needs a second factor and none was given in this session (043), or was deactivated (062): nothing of it is shown. */
  readonly closedMemberships?: readonly ActorMembership[];
  readonly credential: {
    readonly kind: 'session' | 'token';
    readonly key: string;
    /** What it may be used for; all of a session's person with `*`. */
    readonly abilities: readonly string[];
  };
}

/** The facilities of which this session is shown nothing, for queries over all that a person has. */
export function closedFacilities({ closedMemberships = [] }: Pick<Actor, 'closedMemberships'>): string[] {
  return closedMemberships.map(({ facilityId }) => facilityId);
}

export function membershipIn(actor: Actor, facilityId: string): ActorMembership | undefined {
  return actor.memberships.find((membership) => membership.facilityId === facilityId);
}

/** Whether a person may do this in this facility; nobody else's facility, and no role's name, says so. */
export function hasPermission(actor: Actor, facilityId: string, permission: string): boolean {
  return membershipIn(actor, facilityId)?.permissions.has(permission) ?? false;
}
