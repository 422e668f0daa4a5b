import { useParams, useSearch } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Permission } from '@wardline/contract/permissions.ts';
import { useEffect } from 'react';
import { useFacilities } from './facilities-context.tsx';

const key = 'wardline-facility';

/** The facility one is in: that of the address, in its path or as `?facility=`, else the last one, else the first. */
export function useCurrentFacility(): Facility | null {
  const facilities = useFacilities();
  const { facilityId } = useParams({ strict: false });
  const { facility: asked }: { readonly facility?: unknown } = useSearch({ strict: false });
  const inAddress = facilities.find(({ id }) => id === (facilityId ?? asked));
  const inAddressId = inAddress?.id;
  useEffect(() => {
    if (inAddressId !== undefined) remember(inAddressId);
  }, [inAddressId]);
  return inAddress ?? facilities.find(({ id }) => id === remembered()) ?? facilities[0] ?? null;
}

/** The facility in view where one may do this; else the first where one may. */
export function usePermittedFacility(permission: Permission): Facility | undefined {
  const permitted = useFacilities().filter(({ permissions }) => permissions.includes(permission));
  const current = useCurrentFacility();
  return permitted.find(({ id }) => id === current?.id) ?? permitted[0];
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
