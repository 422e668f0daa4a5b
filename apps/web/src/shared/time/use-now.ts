import { serverNow } from '@wardline/client/server-clock.ts';
import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The time by the server's clock, told again every minute: 'now' becomes '1 min ago', what is due becomes late. */
export function useNow(everyMs: number = minuteMs): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
