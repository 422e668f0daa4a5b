import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const load = () => import('./direct-pane.tsx');

/** The chat with a person, and with an on-call role; their code comes with the first of them. */
export const DirectPane = lazyPart(async () => (await load()).DirectPane);
export const RolePane = lazyPart(async () => (await load()).RolePane);
