import type { Call } from '@wardline/client/http/call.ts';
import type { CensusDevice } from './look-after-census.ts';

/**
 * Registers how reports leave this device, whichever page is open, and looks after what it keeps of the census. The code
 * comes after the page; until then reports wait, as they do where it cannot be loaded. Answers the end of it.
 */
export async function registerReports(device: CensusDevice, call: Call): Promise<() => void> {
  return (await import('./look-after-census.ts')).lookAfterCensus(device, call);
}
