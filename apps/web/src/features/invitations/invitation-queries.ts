import { type InvitationImport, listInvitationImports } from '@wardline/contract/facilities/invitation-imports.ts';
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

export function importsKey(facilityId: string) {
  return ['invitation-imports', facilityId] as const;
}

const LOOK_AGAIN_MS = 3_000;

/** The file of people that was given last, asked for again while its people are being invited. */
export function useLastImport(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: importsKey(facilityId),
    queryFn: ({ signal }) =>
      call(listInvitationImports, { params: { facility: facilityId }, query: { limit: 1 }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  });
}

function isUnderWay({ counts }: InvitationImport): boolean {
  return counts.waiting + counts.invited > 0;
}

/** What somebody can be in a facility. */
export function useRoles(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['roles', facilityId],
    queryFn: ({ signal }) => call(listRoles, { params: { facility: facilityId }, signal }),
  });
}
