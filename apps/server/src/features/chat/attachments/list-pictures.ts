import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { ChatPicture, listChatPictures as endpoint } from '@wardline/contract/chat/pictures.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { type RawBuilder, sql } from 'kysely';
import { requireChatToRead } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;

const PAGE = 50;

/** Who reads the chat is given the pictures of the messages that they may read: whoever came later sees those since. */
export async function listChatPictures(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { id: chatId } = await requireChatToRead(ctx, params.chat);
  const limit = query.limit ?? PAGE;
  const before = query.cursor === undefined ? null : idCursor(query.cursor);
  const found = await readablePictures(ctx.db, {
    ...{ chatId, userId: ctx.actor.userId, limit: limit + 1 },
    only: before === null ? sql`true` : sql`a.id < ${before}`,
  });
  const data = found.slice(0, limit);
  return { data, next_cursor: found.length > limit ? (data.at(-1)?.file.id ?? null) : null };
}

/** Of these files the ones that are pictures of the chat which this person may read now. */
export async function findPictures(
  db: Database | DatabaseTransaction,
  { ids, ...reader }: { readonly chatId: string; readonly userId: string; readonly ids: readonly string[] },
): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const only = sql`a.id = any(${[...ids]}::uuid[])`;
  return (await readablePictures(db, { ...reader, only, limit: ids.length })).map(({ file }) => file);
}

/** As many pictures of the same bytes in one chat are looked at, the newest first. */
const MOST_ALIKE = 500;

/** The pictures of the chat that have one of these SHA-256 (in hexadecimal) and which this person may read now; of equal ones the newest. */
export async function findPicturesByHash(
  db: Database | DatabaseTransaction,
  { hashes, ...reader }: { readonly chatId: string; readonly userId: string; readonly hashes: readonly string[] },
): Promise<ReadonlyMap<string, Attachment>> {
  if (hashes.length === 0) return new Map();
  const only = sql`encode(a.sha256, 'hex') = any(${[...hashes]}::text[])`;
  const found = await readablePictures(db, { ...reader, only, limit: MOST_ALIKE });
  const files = new Map(found.map(({ file }) => [file.id, file]));
  const named = await namePictures(db, { chatId: reader.chatId, ids: [...files.keys()] });
  return new Map(
    named.flatMap(({ id, sha256 }) => {
      const file = files.get(id);
      return file ? [[sha256, file] as const] : [];
    }),
  );
}

/** What these files of a chat are, whoever may read them and whether they are still there. */
export async function namePictures(
  db: Database | DatabaseTransaction,
  { chatId, ids }: { readonly chatId: string; readonly ids: readonly string[] },
): Promise<{ id: string; name: string; mime: string; sha256: string }[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('attachments')
    .select(['id', 'name', 'mime', 'sha256'])
    .where('chat_id', '=', chatId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  return rows.flatMap(({ mime, sha256, ...row }) =>
    mime !== null && sha256 !== null ? [{ ...row, mime, sha256: sha256.toString('hex') }] : [],
  );
}

interface PictureRow {
  readonly file: Attachment;
  readonly message_id: string;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly created_at: Date;
}
const pictures = typedRows<PictureRow>({
  ...{ file: 'json', message_id: 'string', sender_id: 'string', sender_name: 'string', created_at: 'date' },
});

interface Reading {
  readonly chatId: string;
  readonly userId: string;
  readonly only: RawBuilder<unknown>;
  readonly limit: number;
}

/** Who may read is part of the statement, as in every page of messages; what is held back is there for nobody. */
export function picturesQuery({ chatId, userId, only, limit }: Reading) {
  return sql`
    select attachments_of(jsonb_build_array(a.id)) -> 0 as file, m.id as message_id, m.sender_id, u.name as sender_name, m.created_at
    from active_participants as p
    join attachments as a on a.chat_id = p.chat_id
    join messages as m on m.id = a.message_id and m.seq > p.joined_seq and m.deleted_at is null
    join users as u on u.id = m.sender_id
    where p.chat_id = ${chatId} and p.user_id = ${userId}
      and a.kind in ('image', 'dicom') and a.state = 'ready' and a.message_id is not null
      and (a.scan is null or a.scan = 'clean') and ${only}
    order by a.id desc limit ${limit}`;
}

async function readablePictures(db: Database | DatabaseTransaction, reading: Reading): Promise<ChatPicture[]> {
  return (await pictures.read(db, picturesQuery(reading))).map((row) => ({
    file: row.file,
    message_id: row.message_id,
    sender: { user_id: row.sender_id, name: row.sender_name },
    sent_at: row.created_at.toISOString(),
  }));
}
