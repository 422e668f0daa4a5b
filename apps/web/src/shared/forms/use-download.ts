import { type DownloadedFile, downloadFile } from '@wardline/client/http/download.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';

const FORGET_AFTER_MS = 60_000;

/** Hands a file to the browser, which keeps it where it keeps downloads. */
function saveFile({ blob, fileName }: DownloadedFile, nameElse: string): void {
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
  /** Says that it did not work. */
  readonly failed: string;
}

/** Fetches a file of an endpoint and hands it to the browser; what went wrong is told in a toast. */
export function useDownload() {
  const call = useCall();
  const [isBusy, setIsBusy] = useState(false);
  const download = async <E extends AnyEndpoint>(
    endpoint: E,
    input: Parameters<typeof downloadFile<E>>[2],
    { fileName, failed }: Wanted,
  ) => {
    setIsBusy(true);
    try {
      saveFile(await downloadFile(call, endpoint, input), fileName);
    } catch (error) {
      await showToast({ title: failed, description: formatFailure(error), icon: CircleAlert, colour: 'error' });
    } finally {
      setIsBusy(false);
    }
  };
  return { download, isBusy };
}
