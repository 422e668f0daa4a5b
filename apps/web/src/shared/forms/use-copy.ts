import { useState } from 'react';

export type CopyState = 'shown' | 'copied' | 'refused';

/** Puts a text on the clipboard, and whether that worked: without permission or a secure context a browser does not. */
export function useCopy(text: string): { readonly state: CopyState; readonly copy: () => Promise<CopyState> } {
  const [state, setState] = useState<CopyState>('shown');
  const copy = async () => {
    const next = await write(text);
    setState(next);
    return next;
  };
  return { state, copy };
}

async function write(text: string): Promise<CopyState> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'refused';
  }
}
