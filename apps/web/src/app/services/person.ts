import type { User } from '@wardline/contract/account/auth.ts';

/** Somebody as chats know them. */
export interface Me {
  readonly id: string;
  readonly name: string;
  readonly title: string | null;
}

/** What a person is in a facility; without one, in the first that says so. */
export function titleAt(user: User, facilityId: string | null): string | null {
  const here = user.memberships.find((membership) => membership.facility_id === facilityId);
  return here?.title ?? user.memberships.find(({ title }) => title)?.title ?? null;
}

export function meAt(user: User, facilityId: string | null = null): Me {
  return { id: user.id, name: user.name, title: titleAt(user, facilityId) };
}
