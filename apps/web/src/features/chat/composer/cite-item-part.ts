import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** For what stands beside a chat: a finding into the message that is written there. */
export const CiteItem = lazyPart(async () => (await import('./cite-item.tsx')).CiteItem);
