import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { type DirectPair, directChatId, pairOf, roleChatId } from './direct-pair.ts';
import { createChatIn } from './policy.ts';
import { requireFacility } from './require-chat.ts';

/** With whom somebody has a direct chat: a person, or whoever holds an on-call role. */
export type DirectTarget = { readonly userId: string } | { readonly roleId: string };

/** The chat that the two have in the facility; null where there is none yet. */
export async function findDirectChat(
  db: Database | DatabaseTransaction,
  facilityId: string,
  { low, high }: DirectPair,
): Promise<string | null> {
  const found = await db
    .selectFrom('chats')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('direct_low', '=', low)
    .where('direct_high', '=', high)
    .executeTakeFirst();
  return found?.id ?? null;
}

export interface RolePair {
  readonly facilityId: string;
  readonly userId: string;
  readonly roleId: string;
}

/** The chat that somebody has with an on-call role; null where there is none yet. */
export async function findRoleChat(
  db: Database | DatabaseTransaction,
  { facilityId, userId, roleId }: RolePair,
): Promise<string | null> {
  const found = await db
    .selectFrom('chats')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('direct_low', '=', userId)
    .where('direct_role_id', '=', roleId)
    .executeTakeFirst();
  return found?.id ?? null;
}

interface Writing {
  readonly actor: Actor;
  readonly facilityId: string;
  readonly to: DirectTarget;
}

/**
 * Whether somebody may write to this person or role, asked with facts read now and without making anything. Answers what the chat of
 * the two is called, or will be. Who has left, or is of another facility, is not there (404); to begin a chat is to create one (403);
 * nobody writes to themselves (422).
 */
export async function requireDirectTarget(
  db: Database | DatabaseTransaction,
  { actor, facilityId, to }: Writing,
): Promise<string> {
  requireFacility(actor, facilityId);
  const { userId } = actor;
  if ('roleId' in to) {
    const place = { facilityId, userId, roleId: to.roleId };
    const known = await findRoleChat(db, place);
    if (known === null) authorize(actor, createChatIn, { facilityId });
    if (!(await isRoleThere(db, place))) throw new AppError('not_found');
    return known ?? roleChatId(facilityId, userId, to.roleId);
  }
  if (to.userId === userId) throw new AppError('unprocessable', { message: 'You can’t write to yourself.' });
  const pair = pairOf(userId, to.userId);
  const known = await findDirectChat(db, facilityId, pair);
  if (known === null) authorize(actor, createChatIn, { facilityId });
  if (!(await isMember(db, facilityId, to.userId))) throw new AppError('not_found');
  return known ?? directChatId(facilityId, pair);
}

async function isMember(db: Database | DatabaseTransaction, facilityId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

async function isRoleThere(db: Database | DatabaseTransaction, { facilityId, roleId }: RolePair): Promise<boolean> {
  const found = await db
    .selectFrom('on_call_roles')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('id', '=', roleId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}
