import type { Region } from '@wardline/contract/examinations/regions.ts';
import { createContext, type ReactNode } from 'react';

/** What is to be shown of the pictures of the chat. */
export interface PicturesOffer {
  /** The one that is shown first; null for the newest. */
  readonly first: string | null;
  readonly regions: readonly { readonly region: Region; readonly label: string }[];
  /** Left out where nothing is to be marked. */
  readonly marking?: { readonly label: string; readonly onMark: (region: Region) => void } | undefined;
  readonly onClose: () => void;
}

export type ShowPictures = (offer: PicturesOffer) => ReactNode;

/** The chat's own viewer, for what stands beside the chat; null where there is no chat, as on paper. */
export const PicturesContext = createContext<ShowPictures | null>(null);
