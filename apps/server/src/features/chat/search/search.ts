import {
  type search as contract,
  type FoundFile,
  type FoundMessage,
  SEARCH_TYPES,
} from '@wardline/contract/chat/search.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { type ChatRow, chatColumns, chats, toChat } from '#/features/chat/core/chat-queries.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import { decodeListCursor, encodeListCursor } from '#/features/chat/core/list-cursor.ts';
import { toForwarded } from '#/features/chat/core/message-queries.ts';
import { type ChatContext, readChat, seeChatsOf } from '#/features/chat/core/policy.ts';
import { requireChat, requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';
import { excerptOf } from './excerpt.ts';
import { findFiles, toFoundFile } from './find-files.ts';
import { chatOf, type FoundRow, findMessages, type MessageSearch } from './find-messages.ts';
import { type SearchTerm, toTerms } from './search-terms.ts';

type Endpoint = typeof contract;
type Reply = ReplyOf<Endpoint>;

const MOST_TOKENS = 12;
/** Chats, and people, beside the messages. */
const MOST_BESIDE = 20;

/** What was typed, in everything that this person may read now: messages, or files alone, a page at a time, the rest with the first page. */
export async function search(ctx: RequestContext, { query }: InputOf<Endpoint>): Promise<Reply> {
  const { actor, db } = ctx;
  const terms = toTerms(query.q);
  if (terms.reduce((count, { tokens }) => count + tokens.length, 0) > MOST_TOKENS)
    throw invalidField('q', `At most ${MOST_TOKENS} words.`);
  const types = new Set(query.types ?? SEARCH_TYPES);
  const isFirst = query.cursor === undefined;
  const limit = query.limit ?? 30;
  const after = query.cursor === undefined ? null : decodeListCursor(query.cursor);
  const time = { from: inUtc(query.from), to: inUtc(query.to) };
  const facilityIds = facilitiesOf(actor, query.facility);
  if (query.chat !== undefined) await requireChat(db, { actor, chatId: query.chat });
  const scope = { actor, facilityIds, terms };
  const isOfSaid = types.has('messages') || types.has('files');
  const chatIds = isOfSaid ? await readableChats(db, scope, query.chat) : [];
  const filter = { ...time, chatIds, senderId: query.sender };
  const isOfFiles = types.has('files') && !types.has('messages');
  const [messages, files, found, people] = await Promise.all([
    types.has('messages') ? searchMessages(db, scope, { ...filter, after, limit }) : NOTHING,
    isOfFiles
      ? searchFiles(db, scope, { ...filter, after, limit })
      : isFirst && types.has('files')
        ? searchFiles(db, scope, { ...filter, after: null, limit: MOST_BESIDE })
        : NOTHING,
    isFirst ? searchChats(db, scope, { ofPatients: types.has('patients'), byTitle: types.has('chats') }) : [],
    isFirst && types.has('people') ? searchPeople(db, scope) : [],
  ]);
  const shown = [...[...messages.data, ...files.data].map(({ chat }) => chat), ...found];
  await ctx.noteReads(
    'chat.found',
    shown.map(({ id, facility_id }) => ({ facilityId: facility_id, objectType: 'chat', objectId: id })),
  );
  const { next_cursor } = isOfFiles ? files : messages;
  return { data: messages.data, next_cursor, files: files.data, chats: found, people };
}

/** Of messages or of files, newest first. */
interface Page<Found> {
  readonly data: Found[];
  readonly next_cursor: string | null;
}

const NOTHING: Page<never> = { data: [], next_cursor: null };

interface Scope {
  readonly actor: Actor;
  readonly facilityIds: readonly string[];
  readonly terms: readonly SearchTerm[];
}

/** Those that the actor may see, or the one that is asked for; one that is not theirs does not exist. */
function facilitiesOf(actor: Actor, wanted: string | undefined): string[] {
  if (wanted !== undefined) requireFacility(actor, wanted);
  const mine = actor.memberships.filter(({ facilityId }) => can(actor, seeChatsOf, { facilityId }));
  return mine.map(({ facilityId }) => facilityId).filter((id) => wanted === undefined || id === wanted);
}

const places = typedRows<{
  chat_id: string;
  facility_id: string;
  state: ChatRow['state'];
  access: ChatRow['access'];
}>({ chat_id: 'string', facility_id: 'string', state: 'string', access: 'string' });

/** The chats that the actor may read now, by the rule that every reading of a chat asks. */
async function readableChats(db: Database, { actor, facilityIds }: Scope, chatId?: string): Promise<string[]> {
  const query = sql`
    select p.chat_id, p.facility_id, c.state, p.access
    from active_participants as p join chats as c on c.id = p.chat_id
    where p.user_id = ${actor.userId} and p.facility_id = any(${facilityIds}::uuid[])
      and ${chatId === undefined ? sql`true` : sql`p.chat_id = ${chatId}`}`;
  const rows = await places.read(db, query);
  const toContext = ({ facility_id, state, access }: (typeof rows)[number]): ChatContext => ({
    facilityId: facility_id,
    state,
    participant: { userId: actor.userId, access },
  });
  return rows.filter((row) => can(actor, readChat, toContext(row))).map(({ chat_id }) => chat_id);
}

type Filter = Omit<MessageSearch, 'userId' | 'terms'>;

async function searchMessages(db: Database, { actor, terms }: Scope, filter: Filter): Promise<Page<FoundMessage>> {
  if (filter.chatIds.length === 0) return NOTHING;
  const rows = await findMessages(db, { ...filter, terms, userId: actor.userId, limit: filter.limit + 1 });
  return toPage(rows, filter.limit, (row) => toFound(row, terms));
}

async function searchFiles(db: Database, { actor, terms }: Scope, filter: Filter): Promise<Page<FoundFile>> {
  if (filter.chatIds.length === 0) return NOTHING;
  const rows = await findFiles(db, { ...filter, terms, userId: actor.userId, limit: filter.limit + 1 });
  return toPage(rows, filter.limit, (row) => toFoundFile(row, terms));
}

/** One row more than fits says that there is another page. */
function toPage<Row extends { id: string; place: number }, Found>(
  rows: readonly Row[],
  limit: number,
  toFound: (row: Row) => Found,
): Page<Found> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(toFound),
    next_cursor: last ? encodeListCursor({ micros: last.place, id: last.id }) : null,
  };
}

function toFound(row: FoundRow, terms: readonly SearchTerm[]): FoundMessage {
  return {
    id: row.id,
    chat: chatOf(row),
    seq: row.seq,
    sender: { id: row.sender_id, name: row.sender_name, title: row.sender_title },
    created_at: row.created_at.toISOString(),
    ...(row.forwarded ? { forwarded: toForwarded(row.forwarded) } : {}),
    ...excerptOf(row.body, terms),
  };
}

/** True where each term occurs in the folded text; one of two letters or fewer only where a word begins. */
function hasTerms(text: ReturnType<typeof sql>, terms: readonly SearchTerm[]) {
  const parts = terms.map((term) => (term.text.length <= 2 ? ` ${term.text}` : term.text));
  const folded = sql`(' ' || fold_text(${text}))`;
  return sql`(select bool_and(position(part in ${folded}) > 0) from unnest(${parts}::text[]) as part)`;
}

interface ChatSearch {
  readonly ofPatients: boolean;
  readonly byTitle: boolean;
}

/** By title, or the other person's name, and by the two identifiers of a patient; those in use last come first. */
async function searchChats(db: Database, scope: Scope, { ofPatients, byTitle }: ChatSearch): Promise<Reply['chats']> {
  if (!ofPatients && !byTitle) return [];
  const title = sql`coalesce(case when c.kind = 'direct' then (select u.name from users as u where u.id = c.direct_user_id) end, c.title)`;
  const patient = sql`concat_ws(' ', c.patient_name, c.patient_identifier)`;
  const ways = [
    ...(byTitle ? [hasTerms(title, scope.terms)] : []),
    ...(ofPatients ? [sql`(c.patient_name is not null and ${hasTerms(patient, scope.terms)})`] : []),
  ];
  const query = sql`
    select ${chatColumns} from own_chats as c
    where c.user_id = ${scope.actor.userId} and c.facility_id = any(${scope.facilityIds}::uuid[]) and (${sql.join(ways, sql` or `)})
    order by c.updated_at desc, c.id desc limit ${MOST_BESIDE}`;
  return (await chats.read(db, query)).map(toChat);
}

const people = typedRows<{
  facility_id: string;
  user_id: string;
  name: string;
  title: string | null;
  avatar_key: string | null;
}>({ facility_id: 'string', user_id: 'string', name: 'string', title: 'string?', avatar_key: 'string?' });

/** The other members of my facilities, by name and title. */
async function searchPeople(db: Database, { actor, facilityIds, terms }: Scope): Promise<Reply['people']> {
  const query = sql`
    select m.facility_id, u.id as user_id, u.name, m.title, u.avatar_key
    from memberships as m join users as u on u.id = m.user_id
    where m.facility_id = any(${facilityIds}::uuid[]) and m.ended_at is null and u.disabled_at is null
      and u.id <> ${actor.userId} and ${hasTerms(sql`concat_ws(' ', u.name, m.title)`, terms)}
    order by u.name collate "und-x-icu", u.id, m.facility_id limit ${MOST_BESIDE}`;
  const rows = await people.read(db, query);
  return rows.map(({ avatar_key, ...person }) => ({ ...person, avatar_url: avatarUrl(avatar_key) }));
}
