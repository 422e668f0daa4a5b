import { CopyX } from 'lucide-react';
import { sayDone, showToast } from '#/shared/contexts/show-toast.ts';

interface Said {
  readonly done: string;
  /** What to do where this browser does not copy. */
  readonly missed: string;
}

const MESSAGE: Said = {
  done: 'Message text copied',
  missed: 'This browser can’t copy. Select the text and copy it yourself.',
};

/** Puts a text on the clipboard, and says whether that worked: nothing else on the page shows it. */
export async function copyText(text: string, said: Said = MESSAGE): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed, or no secure context.
    await showToast({
      title: 'Not copied',
      description: said.missed,
      colour: 'error',
      icon: CopyX,
    }).catch(() => undefined);
    return;
  }
  sayDone(said.done);
}
