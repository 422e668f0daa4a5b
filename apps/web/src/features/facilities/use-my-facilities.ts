import { pageState } from '@wardline/client/browser/page-state.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { type Facility, listFacilities } from '@wardline/contract/facilities/facilities.ts';
import { useCallback, useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';

const FRESH_MS = 5 * 60_000;
const ASK_AGAIN_MS = 30_000;

interface MyFacilities {
  /** null until the server has answered. */
  readonly facilities: readonly Facility[] | null;
  readonly reload: () => Promise<void>;
}

/**
 * My facilities as the server says: anew when my memberships change, and when somebody comes back to the page, or the network
 * does, after five minutes or a failure.
 */
export function useMyFacilities(membershipKey: string): MyFacilities {
  const call = useCall();
  const [facilities, setFacilities] = useState<readonly Facility[] | null>(null);
  const reload = useCallback(async () => setFacilities(await ask(call)), [call]);

  useEffect(() => {
    const end = new AbortController();
    const { online, focus } = pageState();
    let freshUntil = 0;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    async function refresh(): Promise<void> {
      if (isAsking || !online.get() || Date.now() < freshUntil) return;
      isAsking = true;
      try {
        const found = await ask(call, end.signal);
        setFacilities((shown) => (JSON.stringify(shown) === JSON.stringify(found) ? shown : found));
        // Somebody who waits to be admitted is let in without loading the page again.
        const freshMs = found.length === 0 ? ASK_AGAIN_MS : FRESH_MS;
        freshUntil = Date.now() + freshMs;
        if (found.length === 0) waiting = setTimeout(refresh, freshMs);
      } catch {
        // What stood there stands; the next occasion asks again.
      }
      isAsking = false;
    }
    // What one no longer belongs to is gone before the server has said what is left.
    setFacilities((shown) => shown?.filter(({ id }) => membershipKey.includes(id)) ?? null);
    void refresh();
    const stops = [online.subscribe(refresh), focus.subscribe(() => focus.get() && void refresh())];
    return () => {
      end.abort();
      clearTimeout(waiting);
      for (const stop of stops) stop();
    };
  }, [call, membershipKey]);

  return { facilities, reload };
}

async function ask(call: Call, signal?: AbortSignal): Promise<readonly Facility[]> {
  return (await call(listFacilities, signal ? { signal } : {})).data;
}
