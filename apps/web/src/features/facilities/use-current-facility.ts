import { useParams } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities.ts';
import { useEffect } from 'react';
import { useFacilities } from './facilities-context.tsx';

const key = 'wardline-facility';

/** The facility one is in: that of the address, else the last one, else the first. */
export function useCurrentFacility(): Facility | null {
  const facilities = useFacilities();
  const { facilityId } = useParams({ strict: false });
  const inAddress = facilities.find(({ id }) => id === facilityId);
  const inAddressId = inAddress?.id;
  useEffect(() => {
    if (inAddressId !== undefined) remember(inAddressId);
  }, [inAddressId]);
  return inAddress ?? facilities.find(({ id }) => id === remembered()) ?? facilities[0] ?? null;
}

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(id: string): void {
  try {
    localStorage.setItem(key, id);
  } catch {
    // Storage is closed: the first facility it is, next time.
  }
}
