import type { Actor } from './actor.ts';

/**
 * The user by which the product itself speaks in a chat. Migration 0005 makes it disabled for ever and nobody's member, and
 * the database refuses to have it otherwise: it cannot sign in, be invited, be mailed a link or be found.
 */
export const SERVER_USER = { id: '00000000-0000-7000-8000-000000000001', name: 'Wardline' } as const;

/** The same as who acts, where no person does: it may do nothing that is asked of a policy. */
export const SERVER_ACTOR: Actor = {
  ...{ userId: SERVER_USER.id, name: SERVER_USER.name, email: '', emailVerifiedAt: null, isOperator: false },
  ...{ avatarKey: null, memberships: [], credential: { kind: 'token', key: '', abilities: [] } },
};
