import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Seq, Text } from '../values.ts';
import { Chat, Forwarded, MessageSender, Patient } from './chat.ts';

/** What can be searched; patients are the chats about one, found by the patient's name or identifier. */
export const SEARCH_TYPES = ['messages', 'files', 'patients', 'chats', 'people'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

export const SEARCH_TEXT_MAX = 200;

/** True where a text has anything that a search could look for. */
export function isSearchable(text: string): boolean {
  return /[\p{L}\p{Nd}]/u.test(text.normalize('NFKD'));
}

/** A message that was found, with as much as leads to it and tells it from others. */
export const FoundMessage = z.object({
  id: Id,
  chat: z.object({ id: Id, facility_id: Id, kind: Chat.shape.kind, title: z.string(), patient: z.nullable(Patient) }),
  /** Its place in the chat; `listMessages?around=` shows what was said before and after. */
  seq: Seq,
  sender: MessageSender,
  created_at: Instant,
  forwarded: z.optional(z.nullable(Forwarded)),
  /** Words of the message around what was found, on one line; `…` stands where it was cut. */
  excerpt: z.string(),
  /** Which parts of the excerpt were found: where each begins and ends, in UTF-16 units, in order and apart. */
  ranges: z.array(z.object({ start: z.int(), end: z.int() })),
});
export type FoundMessage = z.infer<typeof FoundMessage>;

/** A file whose name was found, with the message that brought it. */
export const FoundFile = z.object({
  id: Id,
  name: z.string(),
  /** As of an attachment; one that a client does not know is a file. */
  kind: z.string(),
  is_voice: z.boolean(),
  /** Which parts of the name were found, as in an excerpt. */
  ranges: FoundMessage.shape.ranges,
  chat: FoundMessage.shape.chat,
  message_id: Id,
  /** Of its message: `listMessages?around=` shows what was said before and after. */
  seq: Seq,
  sender: MessageSender,
  /** When it was sent. */
  created_at: Instant,
});
export type FoundFile = z.infer<typeof FoundFile>;

/** A person of one of my facilities. */
export const FoundPerson = z.object({
  facility_id: Id,
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
});
export type FoundPerson = z.infer<typeof FoundPerson>;

const Types = z.pipe(
  z.string().check(z.regex(new RegExp(`^(${SEARCH_TYPES.join('|')})(,(${SEARCH_TYPES.join('|')}))*$`), 'Not a type.')),
  z.transform((types) => types.split(',') as SearchType[]),
);

export const search = endpoint({
  name: 'search',
  summary:
    'What I may read that has all these words: messages newest first, files, chats, patients and people on the first page; files alone, a page at a time. Words in quotation marks have to follow each other.',
  method: 'GET',
  path: '/api/search',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({
    q: Text(1, SEARCH_TEXT_MAX).check(z.refine(isSearchable, 'Type a letter or a number.')),
    /** With commas between them; all where it is left out. */
    types: z.optional(Types),
    facility: z.optional(Id),
    /** The rest narrows messages and files. */
    chat: z.optional(Id),
    sender: z.optional(Id),
    from: z.optional(Instant),
    /** Before this instant. */
    to: z.optional(Instant),
    /** Goes on among the messages; where none are asked for, among the files. */
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: z.object({
    data: z.array(FoundMessage),
    next_cursor: z.nullable(Cursor),
    /** The newest, at most 20, beside messages. A back end that looks for none leaves it out. */
    files: z.optional(z.array(FoundFile)),
    /** Chats by title, and those about patients by name or identifier; at most 20. */
    chats: z.array(Chat),
    people: z.array(FoundPerson),
  }),
});

export const searchEndpoints = [search] as const;
