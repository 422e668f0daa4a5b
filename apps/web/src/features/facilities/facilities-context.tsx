import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Membership } from '@wardline/contract/auth.ts';
import { type Facility, listFacilities } from '@wardline/contract/facilities.ts';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { shownFormat } from '#/shared/time/shown-format.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';

const askAgainMs = 30_000;

const FacilitiesContext = createContext<readonly Facility[] | null>(null);

interface FacilitiesProviderProps {
  readonly memberships: readonly Membership[];
  readonly children: ReactNode;
}

/** Asks for my facilities; until they are here, and offline, the memberships of the session stand in for them. */
export function FacilitiesProvider({ memberships, children }: FacilitiesProviderProps) {
  const call = useCall();
  const { data } = useQuery({
    queryKey: ['facilities', memberships.map((membership) => membership.facility_id).join()],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(listFacilities, { signal }),
    staleTime: 5 * 60_000,
    // Somebody who waits to be admitted is let in without loading the page again.
    refetchInterval: (query) => (query.state.data?.data.length === 0 ? askAgainMs : false),
  });
  const facilities = useMemo(() => data?.data ?? memberships.map(standIn), [data, memberships]);
  return <FacilitiesContext value={facilities}>{children}</FacilitiesContext>;
}

export function useFacilities(): readonly Facility[] {
  const facilities = use(FacilitiesContext);
  if (!facilities) throw new Error('There are no facilities around this component.');
  return facilities;
}

/** One of my facilities, or null where it is not mine. */
export function useFacility(id: string): Facility | null {
  return useFacilities().find((facility) => facility.id === id) ?? null;
}

function standIn(membership: Membership): Facility {
  return {
    id: membership.facility_id,
    name: membership.facility_name,
    code: codeOf(membership.facility_name),
    time_zone: deviceZone(),
    ...shownFormat(),
    unit_count: 0,
    permissions: membership.permissions,
  };
}

function codeOf(name: string): string {
  const initials = name.match(/\b\p{L}/gu) ?? [];
  return initials.slice(0, 2).join('').toUpperCase();
}
