import type { FileStore } from '#/platform/files/file-store.ts';
import type { Log } from '#/platform/log.ts';

const GOOD_FOR_MS = 10_000;

/**
 * Whether files can be read and written, as it was found last; nobody who asks waits for a storage that does not answer. Asked often it
 * looks every ten seconds at most. The first answer is yes: the start has looked.
 */
export function createFilesProbe(files: Pick<FileStore, 'probe'>, log: Log): () => boolean {
  let isThere = true;
  let isLooking = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    isLooking = true;
    lookedAt = performance.now();
    try {
      await files.probe();
      if (!isThere) log.warn('files can be stored again');
      isThere = true;
    } catch (error) {
      if (isThere) log.error({ err: error }, 'files can be neither read nor stored');
      isThere = false;
    } finally {
      isLooking = false;
    }
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt >= GOOD_FOR_MS) void look();
    return isThere;
  };
}
