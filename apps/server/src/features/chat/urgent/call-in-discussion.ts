import { lockChat } from '#/features/chat/core/chat-queries.ts';
import { appendServerText } from '#/features/chat/core/message-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { isOpen } from '#/platform/escalation/escalation.ts';
import { lockEscalation, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { SERVER_ACTOR } from '#/platform/http/server-actor.ts';
import { prepareUrgent, startUrgent } from './start-urgent.ts';
import { findReachable, type RingDeps } from './who-to-call.ts';
import { withdrawOutdated } from './withdraw-outdated.ts';

interface Call {
  readonly facilityId: string;
  /** A discussion of this facility, locked. */
  readonly chatId: string;
  readonly body: string;
  /** Whom it reaches first; everybody in the discussion where none of them is there. */
  readonly first: readonly string[];
}

interface Ending {
  /** Whose act it is that nobody needs to come any more. */
  readonly actor: Actor;
  readonly chatId: string;
  readonly note: string;
}

/** A call that still asks something of somebody, held to the end of the transaction. */
export interface HeldCall {
  /** It still calls: nobody has taken it on, and it has not called everybody in vain. */
  readonly isCalling: boolean;
  end(ending: Ending): Promise<Publication[]>;
}

/** For features whose things wait for a person: the product itself calls people in a discussion of theirs, by the ladder of the facility. */
export interface DiscussionCalls {
  begin(
    tx: DatabaseTransaction,
    call: Call,
  ): Promise<{ readonly messageId: string; readonly publish: readonly Publication[] }>;
  /** Before memberships and chats are locked; null where the call is over. */
  hold(tx: DatabaseTransaction, messageId: string): Promise<HeldCall | null>;
}

export function callsInDiscussions({ ring }: RingDeps): DiscussionCalls {
  return {
    async begin(tx, { facilityId, chatId, body, first }) {
      const chat = { id: chatId, facilityId, kind: 'group', directRoleId: null };
      const targets = { people: [], role_id: null };
      const start = await prepareUrgent(tx, { actor: SERVER_ACTOR, chat, urgent: { targets }, callsEveryone: true });
      const sent = await appendServerText(tx, { chatId, body });
      const reachable = (people: readonly string[] | null) => findReachable(tx, start.place, { seq: sent.seq, people });
      const preferred = await reachable(first);
      const named = { people: preferred.length > 0 ? preferred : await reachable(null), roleId: null };
      const begun = await startUrgent(
        tx,
        { ...start, plan: { ...start.plan, targets: named }, turn: { targets: named, holderId: null } },
        { sent, ring },
      );
      return { messageId: sent.id, publish: [...begun.publish, ...begun.publishToAll] };
    },
    async hold(tx, messageId) {
      const stored = await lockEscalation(tx, { kind: 'message', id: messageId });
      if (stored === null || !isOpen(stored.escalation)) return null;
      return {
        isCalling: stored.escalation.state === 'calling',
        end: (ending) => end(tx, stored, ending),
      };
    },
  };
}

async function end(tx: DatabaseTransaction, stored: StoredEscalation, ending: Ending): Promise<Publication[]> {
  await lockChat(tx, ending.chatId);
  return withdrawOutdated(tx, stored, { ...ending, what: 'urgent message' });
}
