import { censusChannel } from '@wardline/contract/census/census.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
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

/** So long a page waits for its subscription; without one it asks, and asks again once it is heard. */
const PATIENCE_MS = 1000;

interface Following {
  /** What was asked for before this page heard of changes is out of date. */
  readonly onBegin: () => void;
  readonly onChange: (change: HeardChange) => void;
}

/**
 * The same for a page that asks once it hears: true from then on. What is asked before a subscription has to be asked again
 * after it, since nobody knows what changed between the two; so each page would be loaded twice.
 */
export function useCensusFollowing(facilityId: string, { onBegin, onChange }: Following): boolean {
  const realtime = useRealtime();
  const isOnline = useOnline();
  const [begunFor, setBegunFor] = useState<string | null>(null);
  const tell = useEffectEvent(onChange);
  const begin = useEffectEvent(() => {
    onBegin();
    setBegunFor(facilityId);
  });
  useEffect(() => {
    if (realtime === null) return;
    let hasBegun = false;
    const beginOnce = () => {
      hasBegun = true;
      begin();
    };
    const timer = setTimeout(beginOnce, PATIENCE_MS);
    const joined = realtime.join(censusChannel, facilityId, {
      events: { CensusChanged: (change) => tell(change) },
      onSubscribed: () => {
        clearTimeout(timer);
        if (hasBegun) tell(null);
        else beginOnce();
      },
    });
    return () => {
      clearTimeout(timer);
      joined.leave();
    };
  }, [realtime, facilityId]);
  return realtime === null || !isOnline || begunFor === facilityId;
}
