import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import { createContext, use } from 'react';

/** The live connection of the signed-in page; null around a part that is shown without one. */
export const RealtimeContext = createContext<Pick<Realtime, 'join' | 'wake'> | null>(null);

export function useRealtime(): Pick<Realtime, 'join' | 'wake'> | null {
  return use(RealtimeContext);
}
