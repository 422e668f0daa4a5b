import type { User } from '@wardline/contract/account/auth.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';

/** Somebody as the contract states them. */
export function describeUser(actor: Actor): User {
  return {
    id: actor.userId,
    name: actor.name,
    email: actor.email,
    email_verified_at: actor.emailVerifiedAt,
    avatar_url: avatarUrl(actor.avatarKey),
    is_operator: actor.isOperator,
    has_second_factor: actor.hasSecondFactor ?? false,
    factor_rules: (actor.factorRules ?? []).map((rule) => ({
      facility_id: rule.facilityId,
      facility_name: rule.facilityName,
      from: rule.from,
      is_closed: rule.isClosed,
    })),
    closed_facilities: (actor.closedMemberships ?? []).flatMap(({ facilityName, isDeactivated }) =>
      isDeactivated ? facilityName : [],
    ),
    lock_after_minutes: actor.lockAfterMinutes ?? null,
    memberships: actor.memberships.map((membership) => ({
      facility_id: membership.facilityId,
      facility_name: membership.facilityName,
      title: membership.title,
      roles: [...membership.roles],
      permissions: [...membership.permissions].sort(),
    })),
  };
}
