import { DRAFT_DAYS, DRAFTS_MAX, Draft, type SavedDraft } from '@wardline/contract/chat/drafts.ts';
import { type Selectable, sql } from 'kysely';
import type { Seal } from '#/platform/config/seal.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { ChatDrafts } from '#/platform/db/types.ts';

type DraftRow = Selectable<ChatDrafts>;
type Owner = Pick<DraftRow, 'user_id' | 'chat_id'>;

const ownerOf = ({ user_id, chat_id }: Owner): string => `${user_id} ${chat_id}`;

/** My drafts in the chats that I can read now. */
export async function listDraftRows(
  db: Database,
  { userId, closed, chatId }: { userId: string; closed: readonly string[]; chatId: string | undefined },
): Promise<DraftRow[]> {
  return db
    .selectFrom('chat_drafts as d')
    .innerJoin('active_participants as p', (join) =>
      join.onRef('p.chat_id', '=', 'd.chat_id').onRef('p.user_id', '=', 'd.user_id'),
    )
    .selectAll('d')
    .where('d.user_id', '=', userId)
    .where(sql<boolean>`p.facility_id <> all(${closed}::uuid[])`)
    .$if(chatId !== undefined, (query) => query.where('d.chat_id', '=', chatId ?? ''))
    .orderBy('d.saved_at', 'desc')
    .limit(DRAFTS_MAX)
    .execute();
}

/**
 * Whether the person is in the chat, which they stay until the end of the transaction: who is taken out takes the draft
 * along, and none may come after.
 */
export async function holdPlace(tx: DatabaseTransaction, { user_id, chat_id }: Owner): Promise<boolean> {
  const place = tx
    .selectFrom('chat_participants')
    .select('user_id')
    .where('chat_id', '=', chat_id)
    .where('user_id', '=', user_id)
    .where('left_at', 'is', null)
    .forShare();
  return (await place.executeTakeFirst()) !== undefined;
}

export async function lockDraft(tx: DatabaseTransaction, owner: Owner): Promise<DraftRow | null> {
  const row = tx
    .selectFrom('chat_drafts')
    .selectAll()
    .where('user_id', '=', owner.user_id)
    .where('chat_id', '=', owner.chat_id)
    .forUpdate();
  return (await row.executeTakeFirst()) ?? null;
}

interface Saved extends Owner {
  readonly writer: string;
  readonly sealed: Buffer | null;
}

/** Null where another page began one at the same moment. */
export async function insertDraft(tx: DatabaseTransaction, saved: Saved): Promise<number | null> {
  const inserted = await tx
    .insertInto('chat_drafts')
    .values(saved)
    .onConflict((conflict) => conflict.columns(['user_id', 'chat_id']).doNothing())
    .returning('version')
    .executeTakeFirst();
  if (!inserted) return null;
  // What was cleared goes before what is written, then the oldest.
  await sql`
    delete from chat_drafts where user_id = ${saved.user_id} and chat_id in (
      select chat_id from chat_drafts where user_id = ${saved.user_id}
      order by sealed is null, saved_at desc offset ${DRAFTS_MAX}
    )`.execute(tx);
  return inserted.version;
}

export async function updateDraft(tx: DatabaseTransaction, { user_id, chat_id, ...saved }: Saved): Promise<number> {
  const { version } = await tx
    .updateTable('chat_drafts')
    .set({ ...saved, version: sql`nextval('chat_draft_versions')`, saved_at: sql`clock_timestamp()` })
    .where('user_id', '=', user_id)
    .where('chat_id', '=', chat_id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export function sealDraft(seal: Seal, owner: Owner, draft: Draft | null): Buffer | null {
  return draft && seal.seal(ownerOf(owner), Buffer.from(JSON.stringify(draft)));
}

/** Null where it was cleared, or cannot be opened any more: the installation has another key, or the row is another's. */
export function openDraft(seal: Seal, row: Owner & Pick<DraftRow, 'sealed'>): Draft | null {
  if (row.sealed === null) return null;
  try {
    const parsed = Draft.safeParse(JSON.parse(seal.open(ownerOf(row), row.sealed).toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function toSavedDraft(seal: Seal, row: DraftRow): SavedDraft {
  const { chat_id, version, writer, saved_at } = row;
  return { chat_id, version, writer, saved_at: saved_at.toISOString(), draft: openDraft(seal, row) };
}

/** Removes what nobody went on with. */
export async function purgeDrafts(db: Database): Promise<void> {
  await sql`delete from chat_drafts where saved_at < now() - make_interval(days => ${DRAFT_DAYS})`.execute(db);
}
