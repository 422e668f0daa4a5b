import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** On the dashboard; apart from the banner, which is a part of every page. */
export const UrgentWaiting = lazyPart<object>(async () => (await import('./urgent-waiting.tsx')).UrgentWaiting);
