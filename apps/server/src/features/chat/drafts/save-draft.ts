import { isDeepStrictEqual } from 'node:util';
import type * as contract from '@wardline/contract/chat/drafts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { draftChanged } from '#/features/chat/core/chat-events.ts';
import { readChat, writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { Seal } from '#/platform/config/seal.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { holdPlace, insertDraft, lockDraft, openDraft, sealDraft, updateDraft } from './draft-queries.ts';

type Endpoint = typeof contract.saveDraft;

/**
 * A draft is nobody's but its writer's and is saved every few seconds: no audit entry of its own. It takes the place of what its
 * page has seen, or saved itself; of anything else it is told (409), and the page asks its person.
 */
export function saveDraft({ draftSeal }: { readonly draftSeal: Seal }) {
  return async ({ actor, write }: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { draft, writer } = body;
    const owner = { user_id: actor.userId, chat_id: params.chat };
    return write('chat.draft.save', async (tx) => {
      const question = { actor, chatId: params.chat };
      // What is begun and cannot be sent any more may still be cleared.
      const { facilityId } = await requireChat(tx, question, draft ? writeMessage : readChat);
      if (!(await holdPlace(tx, owner))) throw new AppError('not_found');
      const stored = await lockDraft(tx, owner);
      // Also a repeat whose answer was lost, and the same words from two devices.
      if (isDeepStrictEqual(stored && openDraft(draftSeal, stored), draft)) {
        return { result: { version: stored?.version ?? 0 }, audit: null };
      }
      if (stored && !isFollowedBy(stored, body)) throw savedElsewhere();
      const saved = { ...owner, writer, sealed: sealDraft(draftSeal, owner, draft) };
      const version = await (stored ? updateDraft(tx, saved) : beginDraft(tx, saved));
      return {
        result: { version },
        audit: null,
        publish: [draftChanged(actor.userId, facilityId, { chat_id: params.chat, version })],
      };
    });
  };
}

function isFollowedBy(
  stored: { version: number; writer: string },
  { seen_version, writer }: InputOf<Endpoint>['body'],
) {
  return stored.version === seen_version || stored.writer === writer;
}

/** Another page may begin one at the same moment. */
async function beginDraft(...args: Parameters<typeof insertDraft>): Promise<number> {
  const version = await insertDraft(...args);
  if (version === null) throw savedElsewhere();
  return version;
}

function savedElsewhere(): AppError {
  return new AppError('conflict', { message: 'You have written something else here on another device.' });
}
