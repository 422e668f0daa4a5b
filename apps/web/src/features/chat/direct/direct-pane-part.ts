import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The chat with a person; its code comes with the first of them. */
export const DirectPane = lazyPart(async () => (await import('./direct-pane.tsx')).DirectPane);
