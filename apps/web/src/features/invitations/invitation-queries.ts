import { listInvitations, listRoles } from '@wardline/contract/facilities/invitations.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

const pageSize = 20;

export function invitationsKey(facilityId: string) {
  return ['invitations', facilityId] as const;
}

/** The invitations of a facility, the newest first. */
export function useInvitations(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: invitationsKey(facilityId),
    load: ({ query, signal }) =>
      call(listInvitations, { params: { facility: facilityId }, query: { ...query, limit: pageSize }, signal }),
  });
}

/** What somebody can be in a facility. */
export function useRoles(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['roles', facilityId],
    queryFn: ({ signal }) => call(listRoles, { params: { facility: facilityId }, signal }),
  });
}
