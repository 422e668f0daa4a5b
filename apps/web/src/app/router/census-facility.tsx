import { Navigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { ComponentType } from 'react';
import { facilityForCensus } from '#/features/census/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';

interface CensusFacilityProps {
  readonly permission: string;
  readonly screen: ComponentType<{ readonly facility: Facility }>;
}

/** Gives a census page the facility it is about. A permission that ended while the page was open leads to /403. */
export function CensusFacility({ permission, screen: Screen }: CensusFacilityProps) {
  const facility = facilityForCensus(useFacilities(), useCurrentFacility()?.id, permission);
  return facility ? <Screen key={facility.id} facility={facility} /> : <Navigate to="/403" replace />;
}
