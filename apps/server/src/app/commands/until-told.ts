import { BackupError } from '#/app/backup/backup-error.ts';

/**
 * Does work that tidies up when it is told to stop by SIGINT or SIGTERM. Throws a BackupError with `says` then, in the place of what
 * broke. Told again, the process ends at once.
 */
export async function untilTold<T>(says: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const told = new AbortController();
  const tell = () => told.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, tell);
  // Started by npm, which was killed.
  process.once('disconnect', tell);
  try {
    return await work(told.signal);
  } catch (error) {
    throw told.signal.aborted ? new BackupError(says) : error;
  } finally {
    for (const signal of [...signals, 'disconnect']) process.off(signal, tell);
  }
}
