import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** On the dashboard; apart from the banner, which is a part of every page. */
export const UrgentWaiting = lazyPart<object>(async () => (await import('./urgent-waiting.tsx')).UrgentWaiting);

/** For what stands beside a chat: an urgent message into it, with words to begin with. */
export const UrgentOffer = lazyPart(async () => (await import('./urgent-offer.tsx')).UrgentOffer, {
  onMissing: closeMissing,
});
