import type { DownloadedFile } from '@wardline/client/http/download.ts';

const FORGET_AFTER_MS = 60_000;

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
