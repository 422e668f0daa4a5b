import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The time, told again every minute: 'now' becomes '1 min ago', today becomes yesterday. */
export function useNow(everyMs: number = minuteMs): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
