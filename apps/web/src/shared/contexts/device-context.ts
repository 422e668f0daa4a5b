import type { SharedOutbox, UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createContext, use, useSyncExternalStore } from 'react';

/** What the signed-in person has on this device. */
export interface Device {
  readonly store: DeviceStore;
  /** Their unsent work, of every feature. */
  readonly outbox: SharedOutbox;
}

export const DeviceContext = createContext<Device | null>(null);

export function useDevice(): Device {
  const device = use(DeviceContext);
  if (device === null) throw new Error('There is no device around this component.');
  return device;
}

/** What still waits on this device. */
export function useUnsentCount(): UnsentCount {
  const { count } = useDevice().outbox;
  return useSyncExternalStore(count.subscribe, count.get, count.get);
}
