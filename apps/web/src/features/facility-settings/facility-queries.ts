import { getCensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { getFacilitySettings } from '@wardline/contract/facilities/facility-settings.ts';
import { listRoles } from '@wardline/contract/facilities/invitations.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const settingsKey = (facilityId: string) => ['facility-settings', facilityId] as const;

export function useFacilitySettings(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: settingsKey(facilityId),
    queryFn: ({ signal }) => call(getFacilitySettings, { params: { facility: facilityId }, signal }),
  });
}

/** Whether one sees anything of the facility's census. */
export function mayCensus({ permissions }: Pick<Facility, 'permissions'>): boolean {
  return permissions.some((permission) => permission.startsWith('census.'));
}

/** Its units, beds and reporters, where one may see them. */
export function useCensusSetUp(facility: Facility) {
  const { id } = facility;
  const call = useCall();
  return useQuery({
    queryKey: ['facility-settings', id, 'census'],
    enabled: mayCensus(facility),
    queryFn: ({ signal }) => call(getCensusSettings, { params: { facility: id }, signal }),
  });
}

export function useRoles(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['roles', facilityId],
    queryFn: ({ signal }) => call(listRoles, { params: { facility: facilityId }, signal }),
  });
}

/** After a change: what is left to do, and who is what. */
export function useRefreshFacility(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: settingsKey(facilityId) }),
      queries.invalidateQueries({ queryKey: ['members', facilityId] }),
      queries.invalidateQueries({ queryKey: ['roles', facilityId] }),
    ]);
  };
}
