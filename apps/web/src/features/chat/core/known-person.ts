import type { Member } from '@wardline/contract/facilities/members.ts';
import type { Queries } from '#/shared/queries/queries-context.ts';

/** Under which a person of a facility is kept: as the server says or as they were last shown here. */
export function personKey(facilityId: string, userId: string) {
  return ['member', facilityId, userId] as const;
}

/** What a list says of somebody who is pressed there: their chat opens at once, offline too. */
export function rememberPerson(queries: Queries, facilityId: string, person: Omit<Member, 'roles'>): void {
  queries.put(personKey(facilityId, person.user_id), { roles: [], ...person });
}
