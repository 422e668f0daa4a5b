import type { Overlays } from '@wardline/client/overlays/overlays.ts';
import { createContext, use } from 'react';

/** What can be opened over the signed-in pages. */
export const OverlaysContext = createContext<Overlays | null>(null);

export function useOverlays(): Overlays {
  const overlays = use(OverlaysContext);
  if (!overlays) throw new Error('There are no overlays around this component.');
  return overlays;
}
