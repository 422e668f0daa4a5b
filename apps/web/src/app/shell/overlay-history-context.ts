import type { OverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import { createContext } from 'react';

/** How what lies over a page takes part in the browser's history; null where there is none. */
export const OverlayHistoryContext = createContext<OverlayHistory | null>(null);
