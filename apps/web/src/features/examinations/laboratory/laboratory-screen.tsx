import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Results that reached no chat, what came, and how the laboratory is heard. */
export const LaboratoryScreen = lazyPart(async () => (await import('./laboratory-page.tsx')).LaboratoryPage);
