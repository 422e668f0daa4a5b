import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** What was typed last, once nothing more is typed for a moment. */
export function useDebounced(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
