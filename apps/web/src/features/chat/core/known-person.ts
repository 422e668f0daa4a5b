import type { QueryClient } from '@tanstack/react-query';
import type { Member } from '@wardline/contract/members.ts';

/** Under which a person of a facility is kept: as the server says or as they were last shown here. */
export function personKey(facilityId: string, userId: string) {
  return ['member', facilityId, userId] as const;
}

/** What a list says of somebody who is pressed there: their chat opens at once, offline too. */
export function rememberPerson(queries: QueryClient, facilityId: string, person: Omit<Member, 'roles'>): void {
  const key = personKey(facilityId, person.user_id);
  if (queries.getQueryData(key) === undefined) queries.setQueryData(key, { roles: [], ...person });
}
