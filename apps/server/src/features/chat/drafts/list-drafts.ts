import type * as contract from '@wardline/contract/chat/drafts.ts';
import type { SavedDraft } from '@wardline/contract/chat/drafts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Seal } from '#/platform/config/seal.ts';
import { closedFacilities } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { listDraftRows, toSavedDraft } from './draft-queries.ts';

type Endpoint = typeof contract.listDrafts;

/** One's own words: given to nobody else, so the audit names no reader. */
export function listDrafts({ draftSeal }: { readonly draftSeal: Seal }) {
  return async ({ actor, db }: RequestContext, { query }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const wanted = { userId: actor.userId, closed: closedFacilities(actor), chatId: query.chat };
    const rows = await listDraftRows(db, wanted);
    const saved = rows.map((row) => toSavedDraft(draftSeal, row));
    return { data: query.roles ? saved : saved.map(withoutRoles) };
  };
}

/** For clients that know people and all alone: the name stays in the text. */
function withoutRoles({ draft, ...saved }: SavedDraft): SavedDraft {
  return { ...saved, draft: draft && { ...draft, mentions: draft.mentions.filter(({ kind }) => kind !== 'role') } };
}
