import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

interface Copies {
  /** Of one message, in its order. */
  readonly ids: readonly string[];
  readonly chatId: string;
  readonly facilityId: string;
  readonly uploaderId: string;
}

/**
 * Files of a message once more, to be sent to another chat of the facility: rows of their own that share the stored bytes,
 * so each chat decides who is given them. The originals are locked until the commit; null where one was deleted meanwhile.
 */
export async function copyFiles(
  tx: DatabaseTransaction,
  { ids, chatId, facilityId, uploaderId }: Copies,
): Promise<string[] | null> {
  const found = await tx
    .selectFrom('attachments')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('state', '=', 'ready')
    .where((row) => row.or([row('scan', 'is', null), row('scan', '=', 'clean')]))
    .orderBy('id')
    .forShare()
    .execute();
  const originals = ids.flatMap((id) => found.filter((row) => row.id === id));
  if (originals.length < ids.length) return null;
  const copies = originals.map(({ made_chat_id: _made, ...original }) => ({
    ...original,
    ...{ id: newId(), chat_id: chatId, facility_id: facilityId, uploader_id: uploaderId, message_id: null },
    ...{ direct_user_id: null, direct_role_id: null },
    ...{ copied_from: original.id, created_at: sql<Date>`now()`, expires_at: null },
  }));
  await tx.insertInto('attachments').values(copies).execute();
  return copies.map(({ id }) => id);
}
