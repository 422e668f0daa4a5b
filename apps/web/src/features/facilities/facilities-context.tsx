import type { Membership } from '@wardline/contract/account/auth.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { ReloadFacilitiesContext } from '#/shared/contexts/reload-facilities.ts';
import { shownFormat } from '#/shared/time/shown-format.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';
import { useMyFacilities } from './use-my-facilities.ts';

const FacilitiesContext = createContext<readonly Facility[] | null>(null);

interface FacilitiesProviderProps {
  readonly memberships: readonly Membership[];
  readonly children: ReactNode;
}

/** Asks for my facilities; until they are here, and offline, the memberships of the session stand in for them. */
export function FacilitiesProvider({ memberships, children }: FacilitiesProviderProps) {
  const { facilities: mine, reload } = useMyFacilities(JSON.stringify(memberships));
  const facilities = useMemo(() => mine ?? memberships.map(standIn), [mine, memberships]);
  return (
    <FacilitiesContext value={facilities}>
      <ReloadFacilitiesContext value={reload}>{children}</ReloadFacilitiesContext>
    </FacilitiesContext>
  );
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
