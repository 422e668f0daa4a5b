import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { type DownloadedFile, downloadFile } from '@wardline/client/http/download.ts';
import { createSource } from '@wardline/client/observable.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { dismissMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useConfirming } from './use-confirmed-call.ts';

const DownloadDialog = lazyPart(async () => (await import('./download-dialog.tsx')).DownloadDialog, {
  onMissing: dismissMissing,
});

const FORGET_AFTER_MS = 60_000;
/** Most files are there sooner: they need no dialog. */
const PATIENCE_MS = 500;

/** Hands a file to the browser, which keeps it where it keeps downloads. */
export function saveFile({ blob, fileName }: DownloadedFile, nameElse: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName ?? nameElse;
  link.click();
  // Some browsers read it only after they have asked where to put it.
  setTimeout(() => URL.revokeObjectURL(url), FORGET_AFTER_MS);
}

interface Wanted {
  /** What the file is called where the server gives it no name. */
  readonly fileName: string;
  /** Says in a toast that it did not work; without it the failure is the caller's, to be said where they are. */
  readonly failed?: string;
}

/**
 * Fetches a file of an endpoint and hands it to the browser; what went wrong is told in a toast. A file that takes longer
 * shows how much of it has come, and can be cancelled (UI-2); leaving the page cancels it too. The password is asked for where
 * the server wants it (423), and nothing lies over that question.
 */
export function useDownload() {
  const call = useCall();
  const confirming = useConfirming();
  const overlays = useOverlays();
  const [isBusy, setIsBusy] = useState(false);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);

  const download = async <E extends AnyEndpoint>(
    endpoint: E,
    input: Parameters<typeof downloadFile<E>>[2],
    { fileName, failed }: Wanted,
  ) => {
    const controller = new AbortController();
    const { signal } = controller;
    const received = createSource(0);
    const shownCall = async (...asked: Parameters<Call>): Promise<unknown> => {
      const shown = overlays.create(DownloadDialog, { destroyOnClose: true });
      let isDone = false;
      const timer = setTimeout(async () => {
        await shown.open({ title: `Exporting ${fileName}`, received });
        if (!isDone) controller.abort();
      }, PATIENCE_MS);
      try {
        return await call(...asked);
      } finally {
        isDone = true;
        clearTimeout(timer);
        close(shown);
      }
    };
    ending.current = controller;
    setIsBusy(true);
    try {
      const onProgress = received.set;
      const file = await downloadFile(confirming(shownCall as Call), endpoint, { ...input, signal }, { onProgress });
      saveFile(file, fileName);
    } catch (error) {
      if (isCancelled(error)) return;
      if (failed === undefined) throw error;
      await showToast({ title: failed, description: formatFailure(error), icon: CircleAlert, colour: 'error' });
    } finally {
      setIsBusy(false);
    }
  };
  return { download, isBusy };
}

/** Whoever has cancelled has closed it already. */
function close(dialog: { close(): void }): void {
  try {
    dialog.close();
  } catch {
    // It is gone.
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'cancelled';
}
