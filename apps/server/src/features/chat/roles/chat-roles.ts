import type { Chat } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-roles.ts';
import { CHAT_ROLES_MAX, type ChatRole } from '@wardline/contract/chat/chat-roles.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findParticipant } from '#/features/chat/core/participant-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat, requireManaged } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { RemoveParticipantDeps } from '#/features/chat/participants/remove-participant.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { RoleClock } from './role-clock.ts';
import { holdRole, listRolesOfChat, seatHolder, upsertRole } from './role-queries.ts';

export interface ChatRolesDeps extends RemoveParticipantDeps {
  readonly roleClock: Pick<RoleClock, 'look'>;
}

export async function listChatRoles(
  { actor, db }: RequestContext,
  { params }: InputOf<typeof contract.listChatRoles>,
): Promise<ReplyOf<typeof contract.listChatRoles>> {
  await requireChat(db, { actor, chatId: params.chat });
  return { data: await listRolesOfChat(db, params.chat) };
}

/** What its holders see, as the line in the chat says it. */
const PAST = { all: 'whose holder sees all messages', now: 'whose holder sees messages from now on' } as const;

/**
 * Adds an on-call role, or gives it another access. Who holds it is let in by the clock a moment later, as with every change of a
 * shift: by one way alone.
 */
export function addChatRole({ roleClock }: Pick<ChatRolesDeps, 'roleClock'>) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<typeof contract.addChatRole>,
  ): Promise<ReplyOf<typeof contract.addChatRole>> => {
    const { chat: chatId, role: roleId } = params;
    const { facilityId } = await requireChat(db, { actor, chatId }, manageChat);
    return write('chat.role.add', async (tx) => {
      const name = await holdRole(tx, facilityId, roleId);
      if (name === null) throw new AppError('not_found');
      await lockChat(tx, chatId);
      const { kind, headSeq } = await requireManaged(tx, { actor, chatId });
      const standing = await listRolesOfChat(tx, chatId);
      const before = standing.find(({ role_id }) => role_id === roleId);
      const access = body.access ?? before?.access ?? (kind === 'announcement' ? 'read' : 'write');
      if (before?.access === access) return { result: before, audit: null };
      guardRole({ kind, access, isNew: !before, count: standing.length });
      const { history = 'all' } = body;
      await upsertRole(tx, {
        ...{ chatId, facilityId, roleId, access, addedBy: actor.userId },
        joinedSeq: history === 'now' ? headSeq : 0,
      });
      const line = before ? `gave ${name} ${access} access` : `added ${name}, ${PAST[history]}`;
      const lines = await appendLines(tx, { actor, chatId, facilityId }, [line]);
      const result = await requireRole(tx, chatId, roleId);
      const detail = { role: roleId, access, history: before ? null : history };
      return {
        result,
        audit: { facilityId, objectType: 'chat', objectId: chatId, detail },
        publish: [...lines.flatMap(messageSent), ...chatChanged(await loadChatChange(tx, chatId))],
        afterCommit: roleClock.look,
      };
    });
  };
}

async function requireRole(tx: DatabaseTransaction, chatId: string, roleId: string): Promise<ChatRole> {
  const [role] = await listRolesOfChat(tx, chatId, roleId);
  if (!role) throw new Error('a role was added and is not there');
  return role;
}

interface Guarded {
  readonly kind: Chat['kind'];
  readonly access: ChatRole['access'];
  readonly isNew: boolean;
  readonly count: number;
}

function guardRole({ kind, access, isNew, count }: Guarded): void {
  if (kind === 'announcement' && access === 'write') throw invalidField('access', 'In an announcement a role reads.');
  if (isNew && count >= CHAT_ROLES_MAX) {
    throw new AppError('unprocessable', { message: `At most ${CHAT_ROLES_MAX} on-call roles are in one chat.` });
  }
}

export function removeChatRole({ rightsChanged }: Pick<ChatRolesDeps, 'rightsChanged'>) {
  return async (
    { actor, db, write }: RequestContext,
    { params }: InputOf<typeof contract.removeChatRole>,
  ): Promise<undefined> => {
    const { chat: chatId, role: roleId } = params;
    const { facilityId } = await requireChat(db, { actor, chatId }, manageChat);
    return write('chat.role.remove', async (tx) => {
      await lockChat(tx, chatId);
      await requireManaged(tx, { actor, chatId });
      const [role] = await listRolesOfChat(tx, chatId, roleId);
      const seated = await removeRole(tx, chatId, roleId);
      if (!role || seated === undefined) throw new AppError('not_found');
      // No MessageSent: the one removed still hears the chat's channel until the recheck.
      await appendLines(tx, { actor, chatId, facilityId }, [`removed ${role.name}`]);
      return {
        result: undefined,
        audit: { facilityId, objectType: 'chat', objectId: chatId, detail: { role: roleId, user: seated } },
        publish: [
          ...(seated ? [await seatChanged(tx, { facilityId, chatId, userId: seated })] : []),
          ...chatChanged(await loadChatChange(tx, chatId)),
        ],
        ...(seated && { afterCommit: () => rightsChanged(seated) }),
      };
    });
  };
}

/** Who had a place by a role stays by another, or is gone. */
async function seatChanged(
  tx: DatabaseTransaction,
  { facilityId, chatId, userId }: { facilityId: string; chatId: string; userId: string },
) {
  const change = (await findParticipant(tx, chatId, userId)) === null ? 'removed' : 'changed';
  return membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change });
}

/** Who was in the chat by the role and has no place by it any more; null where nobody was, undefined where the role was not in it. */
async function removeRole(tx: DatabaseTransaction, chatId: string, roleId: string): Promise<string | null | undefined> {
  const removed = await tx
    .deleteFrom('chat_roles')
    .where('chat_id', '=', chatId)
    .where('role_id', '=', roleId)
    .returning('holder_id')
    .executeTakeFirst();
  if (removed?.holder_id) await seatHolder(tx, chatId, { roleId, before: removed.holder_id, after: null });
  return removed?.holder_id;
}
