import { listUnits } from '@wardline/contract/facilities/facilities.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

const freshMs = 5 * 60_000;

/** The units of a facility, in their order. */
export function useUnits(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['units', facilityId],
    queryFn: ({ signal }) => call(listUnits, { params: { facility: facilityId }, signal }),
    staleTime: freshMs,
  });
}
