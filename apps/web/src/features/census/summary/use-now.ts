import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The time, told again every minute: what is left until something is due grows less. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
