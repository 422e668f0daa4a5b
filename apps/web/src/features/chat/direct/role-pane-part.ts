import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The chat with an on-call role; its code comes with the first of them. */
export const RolePane = lazyPart(async () => (await import('./role-pane.tsx')).RolePane);
