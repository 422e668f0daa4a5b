import { randomBytes } from 'node:crypto';
import type { AttachmentKind, AttachmentSize } from '@wardline/contract/chat/attachments.ts';
import { type DirectTarget, requireDirectTarget } from '#/features/chat/core/direct-chats.ts';
import { writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import type { ScanVerdict } from '#/platform/malware/clamd.ts';

export interface AttachmentDeps {
  readonly files: FileStore;
  readonly images: ImageWorkers;
  /** What the operator lets people send. */
  readonly allowed: { readonly maxBytes: number; readonly kinds: readonly AttachmentKind[] };
  /** Counts the files that a person begins to send. */
  readonly uploads: Counter;
  /** Looks for malware in what is stored under a key, null where nobody could for now; null where the operator has set up no scanner. */
  readonly look: ((key: string) => Promise<ScanVerdict | null>) | null;
}

/** 16 random bytes: names the stored files and is told to nobody. */
export function newAttachmentKey(): string {
  return randomBytes(16).toString('base64url');
}

/** Where the bytes of an upload that is under way are. */
export function partFile(key: string): string {
  return `uploads/${key.slice(0, 2)}/${key}.part`;
}

/** Where a file of a message is, in one of its sizes. */
export function attachmentFile(key: string, size: AttachmentSize): string {
  return `attachments/${key.slice(0, 2)}/${key}/${size}.bin`;
}

export interface UploadRecord {
  readonly id: string;
  readonly chatId: string;
  readonly facilityId: string;
  readonly key: string;
  readonly name: string;
  readonly state: 'uploading' | 'ready';
  readonly received: number;
  readonly bytes: number;
}

/** An upload of one's own for a chat or to somebody where one may write, not sent yet. Anybody else's is not there (404). */
export async function requireUpload(
  db: Database | DatabaseTransaction,
  { actor }: Pick<RequestContext, 'actor'>,
  id: string,
): Promise<UploadRecord> {
  const found = await db
    .selectFrom('attachments')
    .select(['id', 'chat_id', 'facility_id', 'key', 'name', 'state', 'received_bytes', 'upload_bytes'])
    .select(['direct_user_id', 'direct_role_id'])
    .where('id', '=', id)
    .where('uploader_id', '=', actor.userId)
    .where('message_id', 'is', null)
    .executeTakeFirst();
  if (found === undefined || (found.state !== 'uploading' && found.state !== 'ready')) throw new AppError('not_found');
  const to = targetOf(found);
  if (to === null) await requireChat(db, { actor, chatId: found.chat_id }, writeMessage);
  else await requireDirectTarget(db, { actor, facilityId: found.facility_id, to });
  const {
    chat_id: chatId,
    facility_id: facilityId,
    key,
    name,
    state,
    received_bytes: received,
    upload_bytes: bytes,
  } = found;
  return { id, chatId, facilityId, key, name, state, received, bytes };
}

/** To whom, of what was not uploaded for a chat that one is in. */
function targetOf(found: { direct_user_id: string | null; direct_role_id: string | null }): DirectTarget | null {
  if (found.direct_user_id !== null) return { userId: found.direct_user_id };
  return found.direct_role_id === null ? null : { roleId: found.direct_role_id };
}
