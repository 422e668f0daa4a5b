import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { createOverlays, type Overlays } from '@wardline/client/overlays/overlays.ts';
import { useOverlayStack } from '@wardline/client/overlays/use-overlay-stack.ts';
import { type DialogHost, DialogHostContext } from '@wardline/ui/dialog/dialog-host.ts';
import { type ReactNode, use, useEffect, useState } from 'react';
import { OverlaysContext } from '#/shared/contexts/overlays-context.ts';
import { OverlayHistoryContext } from './overlay-history-context.ts';

/** OVERLAY-1: draws what was opened over the page. Every dialog of the kit below takes part, so that Back closes the top one. */
export function OverlayStack({ children }: { children: ReactNode }) {
  const history = use(OverlayHistoryContext);
  const [overlays] = useState(() => createOverlays(history ? { history } : {}));
  const [host] = useState(() => dialogHost(overlays));
  // Nobody who is signed out has anything over the page, nor its entries in the history.
  useEffect(() => () => overlays.closeAll(), [overlays]);
  return (
    <OverlaysContext value={overlays}>
      <DialogHostContext value={host}>{children}</DialogHostContext>
      <Stack overlays={overlays} />
    </OverlaysContext>
  );
}

/** Beside the host: a dialog that was opened as an overlay is one already. */
function Stack({ overlays }: { overlays: Overlays }) {
  return useOverlayStack(overlays).map(({ id, Component, props }) => <Component key={id} {...props} />);
}

/** A dialog that a page shows by itself is an overlay without a picture of its own. */
function dialogHost(overlays: Overlays): DialogHost {
  return (dismiss) => {
    const { id } = overlays.create(DialogPlace, { props: { dismiss }, defaultOpen: true, destroyOnClose: true });
    let isThere = true;
    return () => {
      if (isThere && overlays.get().some((entry) => entry.id === id)) overlays.unmount(id);
      isThere = false;
    };
  };
}

interface DialogPlaceProps {
  readonly dismiss: () => void;
  readonly overlay: OverlayControl<never>;
}

function DialogPlace({ dismiss, overlay }: DialogPlaceProps) {
  const { isOpen } = overlay;
  useEffect(() => {
    if (isOpen) return;
    dismiss();
    overlay.afterLeave();
  }, [isOpen, dismiss, overlay]);
  return null;
}
