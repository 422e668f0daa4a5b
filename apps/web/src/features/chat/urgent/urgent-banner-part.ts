import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Over every page: its code comes with the first urgent message of a chat of mine. */
export const UrgentBanner = lazyPart(async () => (await import('./urgent-banner.tsx')).UrgentBanner);
