/** What a person is and may do in one facility, read from the database for this request. */
export interface ActorMembership {
  readonly id: string;
  readonly facilityId: string;
  readonly facilityName: string;
  readonly title: string | null;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
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
  readonly memberships: readonly ActorMembership[];
  readonly credential: { readonly kind: 'session' | 'token'; readonly key: string };
}

export function membershipIn(actor: Actor, facilityId: string): ActorMembership | undefined {
  return actor.memberships.find((membership) => membership.facilityId === facilityId);
}

/** Whether a person may do this in this facility; nobody else's facility, and no role's name, says so. */
export function hasPermission(actor: Actor, facilityId: string, permission: string): boolean {
  return membershipIn(actor, facilityId)?.permissions.has(permission) ?? false;
}
