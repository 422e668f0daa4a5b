import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, isStorableText, Nothing, Seq, Text } from '../values.ts';
import { MENTION_KINDS, MENTIONS_MAX, MESSAGE_BODY_MAX } from './chat.ts';

/** What is too long to be sent is kept too, so that it can be made shorter elsewhere. */
export const DRAFT_BODY_MAX = 2 * MESSAGE_BODY_MAX;
/** So many chats of a person have one on the server. */
export const DRAFTS_MAX = 100;
/** A draft that nobody went on with is kept so long. */
export const DRAFT_DAYS = 30;

const DraftMention = z.strictObject({ kind: z.enum(MENTION_KINDS), id: z.nullable(Id), name: Text(1, 200) });

/** What stands in the box of a chat. Its files and findings stay on the device. */
export const Draft = z.strictObject({
  body: z
    .string()
    .check(
      z.refine(isStorableText, 'This text has characters that cannot be stored.'),
      z.maxLength(DRAFT_BODY_MAX, `At most ${DRAFT_BODY_MAX} characters.`),
    ),
  /** The message that it answers. */
  reply_to: z.nullable(z.strictObject({ id: Id, seq: Seq })),
  /** Who was chosen for the names in it. */
  mentions: z.array(DraftMention).check(z.maxLength(MENTIONS_MAX)),
});
export type Draft = z.infer<typeof Draft>;

/** My draft in a chat, as it was saved last. */
export const SavedDraft = z.object({
  chat_id: Id,
  /** Grows with each save. */
  version: Seq,
  /** The page that saved it. */
  writer: Id,
  saved_at: Instant,
  /** Null where it was cleared or sent. */
  draft: z.nullable(Draft),
});
export type SavedDraft = z.infer<typeof SavedDraft>;

export const listDrafts = endpoint({
  name: 'listDrafts',
  summary: 'What I have begun to write in my chats, newest first; at most one a chat, and 100. The cleared ones too.',
  method: 'GET',
  path: '/api/drafts',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({
    /** Only that of one chat. */
    chat: z.optional(Id),
    /** With roles among the mentions, which clients of before do not know. */
    roles: z.optional(z.literal('true')),
  }),
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(SavedDraft) }),
});

export const saveDraft = endpoint({
  name: 'saveDraft',
  summary:
    'Saves what I have begun to write in a chat; null clears it. 409 where another page has saved what this one has not seen.',
  method: 'PUT',
  path: '/api/chats/{chat}/draft',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  body: z.strictObject({
    draft: z.nullable(Draft),
    /** The version that it follows; 0 for none. */
    seen_version: Seq,
    /** Made anew by each page. */
    writer: Id,
  }),
  status: 200,
  /** 0 where there was nothing to clear. */
  reply: z.object({ version: Seq }),
});

export const draftEndpoints = [listDrafts, saveDraft] as const;
