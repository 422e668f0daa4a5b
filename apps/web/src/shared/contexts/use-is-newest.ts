import { createSource } from '@wardline/client/observable.ts';
import { useLayoutEffect, useSyncExternalStore } from 'react';

/** The places in their chats of the lines that are drawn, by what they tell of. */
const drawn = new Map<string, readonly number[]>();
const changes = createSource(0);

function put(id: string, places: readonly number[]): void {
  if (places.length > 0) drawn.set(id, places);
  else drawn.delete(id);
  changes.set(changes.get() + 1);
}

/** Whether no later line of the same thing is drawn. */
export function useIsNewest(id: string, seq: number): boolean {
  useLayoutEffect(() => {
    put(id, [...(drawn.get(id) ?? []), seq]);
    return () => {
      const places = [...(drawn.get(id) ?? [])];
      places.splice(places.indexOf(seq), 1);
      put(id, places);
    };
  }, [id, seq]);
  return useSyncExternalStore(changes.subscribe, () => Math.max(seq, ...(drawn.get(id) ?? [])) === seq);
}
