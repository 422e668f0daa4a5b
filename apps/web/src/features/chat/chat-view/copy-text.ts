import { CopyX } from 'lucide-react';
import { sayDone, showToast } from '#/shared/contexts/show-toast.ts';

/** Puts the text of a message on the clipboard, and says whether that worked: nothing else on the page shows it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed, or no secure context.
    await showToast({
      title: 'The text was not copied',
      description: 'This browser can’t copy. Select the text and copy it yourself.',
      colour: 'error',
      icon: CopyX,
    }).catch(() => undefined);
    return;
  }
  sayDone('Message text copied');
}
