import { censusChannel } from '@wardline/contract/census.ts';
import { useEffect, useEffectEvent } from 'react';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import type { HeardChange } from './refetch-changed.ts';

/**
 * Hears that a report or day of the facility is not what it was. Told null after each subscription, the first and those
 * after a reconnect: what happened before it was not heard, so anything may have changed.
 */
export function useCensusChanges(facilityId: string, onChange: (change: HeardChange) => void): void {
  const realtime = useRealtime();
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    const joined = realtime?.join(censusChannel, facilityId, {
      events: { CensusChanged: (change) => tell(change) },
      onSubscribed: () => tell(null),
    });
    return () => joined?.leave();
  }, [realtime, facilityId]);
}
