import { createContext, use, useEffect, useRef } from 'react';

/** Told of every dialog that opens, with the way to close it; what it answers is called when the dialog closes. */
export type DialogHost = (dismiss: () => void) => () => void;

/** Lets an application know of the open dialogs, so that the browser's Back can close the top one. */
export const DialogHostContext = createContext<DialogHost | null>(null);

/** Reports a dialog to the host, if there is one, for as long as it is open. */
export function useDialogHost(isOpen: boolean, dismiss: () => void): void {
  const host = use(DialogHostContext);
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  useEffect(() => (isOpen ? host?.(() => latest.current()) : undefined), [host, isOpen]);
}
