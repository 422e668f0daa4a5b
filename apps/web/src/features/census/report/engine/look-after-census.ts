import type { Call } from '@wardline/client/http/call.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { Session } from '@wardline/client/session/session.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { keepCensusCopies } from './keep-census-copies.ts';
import { reportOutbox } from './report-outbox.ts';

/** What a device has of one signed-in person. */
export interface CensusDevice {
  readonly store: DeviceStore;
  readonly outbox: SharedOutbox;
  readonly session: Pick<Session, 'get' | 'subscribe' | 'store'>;
}

/** Lets reports leave the device, and looks after what it keeps of the census. Answers the end of it. */
export function lookAfterCensus({ store, outbox, session }: CensusDevice, call: Call): () => void {
  reportOutbox(outbox, call);
  outbox.flush();
  return keepCensusCopies(session, store);
}

/** What a sign-out would take of reports that were typed here; null for nothing. */
export async function findLostReports(device: Pick<CensusDevice, 'store' | 'outbox'>, call: Call) {
  return await (await import('./reports-only-here.ts')).reportsOnlyHere(device, call);
}
