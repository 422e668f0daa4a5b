// Chats and their messages: who may read and write, the order of what was said, how far everyone has read, and what
// changed for a person since a cursor. Everything here is asked of the database at the moment it is answered.
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Route } from '#/platform/http/route.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { chatChannelRules } from './core/chat-events.ts';
import { mayRead } from './core/require-chat.ts';
import { createMessageGroup } from './messages/message-group.ts';
import { type SayInDiscussion, sayInDiscussion } from './messages/say-in-discussion.ts';
import type { RemoveParticipantDeps } from './participants/remove-participant.ts';
import { chatRoutes } from './routes.ts';

export interface ChatFeature {
  readonly routes: readonly Route[];
  readonly channels: readonly ChannelRule[];
  /** For other features: opens a discussion about something of theirs, or says a line in it. */
  readonly say: SayInDiscussion;
  /** Whether somebody may read a chat, asked now. */
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
}

interface ChatDeps extends RemoveParticipantDeps {
  readonly db: Database;
}

export function chatFeature({ db, rightsChanged }: ChatDeps): ChatFeature {
  const group = createMessageGroup(db);
  return { routes: chatRoutes({ rightsChanged, group }), channels: chatChannelRules, say: sayInDiscussion, mayRead };
}
