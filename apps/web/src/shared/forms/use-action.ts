import { useState } from 'react';
import { formatAction } from './form-errors.ts';

interface Action {
  readonly run: () => void;
  readonly isBusy: boolean;
  /** Why it did not happen the last time. */
  readonly error: string | null;
}

/** Something to do at a press: whether it is under way, and what went wrong. */
export function useAction(work: () => Promise<unknown>): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await work();
    } catch (error) {
      setError(formatAction(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { run: () => void run(), isBusy, error };
}
