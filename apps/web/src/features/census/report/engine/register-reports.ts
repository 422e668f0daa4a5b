import type { Call } from '@wardline/client/http/call.ts';
import type { Device } from '#/shared/contexts/device-context.ts';
import type { CensusDevice } from './look-after-census.ts';
import type { LostReports } from './reports-only-here.ts';

/** It comes after the page. */
const code = () => import('./look-after-census.ts');

/**
 * Registers how reports leave this device, whichever page is open, and looks after what it keeps of the census. Until its
 * code is there reports wait, as they do where it cannot be loaded. Answers the end of it.
 */
export async function registerReports(device: CensusDevice, call: Call): Promise<() => void> {
  return (await code()).lookAfterCensus(device, call);
}

/** What a sign-out would take of reports that were typed here; null for nothing, and where that cannot be told. */
export async function reportsOnlyHere(device: Device, call: Call): Promise<LostReports | null> {
  try {
    return await (await code()).findLostReports(device, call);
  } catch {
    // Nobody is kept from signing out.
    return null;
  }
}
