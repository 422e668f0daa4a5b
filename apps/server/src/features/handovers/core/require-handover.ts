import type { Handover } from '@wardline/contract/examinations/handovers.ts';
import { isPossible, mayTick } from '@wardline/examination/handover.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { HandoverDeps, OpenedChat } from './deps.ts';
import { findHandover, type HandoverRecord } from './handover-queries.ts';
import { changeHandover, receiveHandover, tickAction } from './policy.ts';
import { listVersions } from './sheet-queries.ts';

type Queryable = Database | DatabaseTransaction;

interface Question {
  readonly actor: Actor;
  readonly handoverId: string;
}

export interface OpenedHandover {
  readonly chat: OpenedChat;
  readonly handover: HandoverRecord;
  /** To whom it was given, or who holds the role that it was given to now. */
  readonly isReceiver: boolean;
}

/** Who reads the chat reads its hand-overs; for anybody else there is none (404). */
export async function requireHandover(
  { chats, handovers }: HandoverDeps,
  db: Queryable,
  { actor, handoverId }: Question,
): Promise<OpenedHandover> {
  const handover = await findHandover(db, handoverId);
  if (handover === null) throw new AppError('not_found');
  const { summary, givenBy, toUser, toRole } = handover;
  const chat = await chats.open(db, { actor, chatId: summary.chat_id });
  const { userId } = actor;
  const isReceiver =
    userId !== givenBy &&
    (userId === toUser || (toRole !== null && (await handovers.holdsRole(db, { roleId: toRole, userId }))));
  return { chat, handover, isReceiver };
}

/** As who asks sees it and may go on with it. */
export async function serializeHandover(
  db: Queryable,
  { actor, opened }: { readonly actor: Actor; readonly opened: OpenedHandover },
): Promise<Handover> {
  const { chat, handover, isReceiver } = opened;
  const { summary, givenBy, ended } = handover;
  const { state } = summary;
  const mayChange = can(actor, changeHandover, { chat, givenBy });
  return {
    ...{ ...summary, ended, versions: await listVersions(db, summary.id), done: await listDone(db, handover) },
    my: {
      can_receive: isPossible(state, 'receive') && can(actor, receiveHandover, { chat, isReceiver }),
      can_withdraw: isPossible(state, 'withdraw') && mayChange,
      can_correct: isPossible(state, 'correct') && mayChange,
      can_tick: mayTick(state) && can(actor, tickAction, chat),
      can_manage: chat.canManage,
    },
  };
}

/** Which actions of the newest sheet are done. */
async function listDone(db: Queryable, { summary }: HandoverRecord): Promise<Handover['done']> {
  const rows = await db
    .selectFrom('handover_actions as a')
    .innerJoin('users as u', 'u.id', 'a.done_by')
    .leftJoin('memberships as m', (join) =>
      join
        .onRef('m.user_id', '=', 'a.done_by')
        .on('m.facility_id', '=', summary.facility_id)
        .on('m.ended_at', 'is', null),
    )
    .select(['a.action_id', 'a.done_by', 'a.done_at', 'u.name', 'm.title'])
    .where('a.handover_id', '=', summary.id)
    .where('a.sheet_version', '=', summary.sheet_version)
    .where('a.done_at', 'is not', null)
    .orderBy('a.done_at')
    .$narrowType<{ done_by: string; done_at: Date }>()
    .execute();
  return rows.map(({ action_id, done_by, done_at, name, title }) => ({
    ...{ action_id, by: { user_id: done_by, name, title }, at: done_at.toISOString() },
  }));
}
