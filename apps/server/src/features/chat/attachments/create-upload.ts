import type * as contract from '@wardline/contract/chat/uploads.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { requireDirectTarget } from '#/features/chat/core/direct-chats.ts';
import { writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { type AttachmentDeps, newAttachmentKey } from './attachment-store.ts';
import { EXPIRE_JOB } from './remove-attachments.ts';
import { noteProgress, readFileName, readVoice, requireTus } from './tus.ts';

type Endpoint = typeof contract.createUpload;

const DAY_MS = 24 * 60 * 60_000;
/** How long an upload may take. */
const UPLOAD_MS = DAY_MS;
/** What one person may begin to send in a day. */
const DAILY_BYTES = 500 * 1024 * 1024;

/** Begins an upload: who may write in the chat may add a file to what they write. Nothing is stored yet. */
export function createUpload(deps: AttachmentDeps) {
  return (ctx: RequestContext, { params, headers }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    begin(ctx, deps, headers, async (db) => {
      const { facilityId } = await requireChat(db, { actor: ctx.actor, chatId: params.chat }, writeMessage);
      return { chat_id: params.chat, facility_id: facilityId };
    });
}

/**
 * The same for a message to a person, who learns nothing of it before. Until there is a chat of the two the file lies under the id that
 * it will have, so that the first message, whoever writes it, finds it there.
 */
export function createDirectUpload(deps: AttachmentDeps) {
  return (
    ctx: RequestContext,
    { params, headers }: InputOf<typeof contract.createDirectUpload>,
  ): Promise<ReplyOf<Endpoint>> =>
    begin(ctx, deps, headers, async (db) => {
      const { facility: facilityId, user: userId } = params;
      const chatId = await requireDirectTarget(db, { actor: ctx.actor, facilityId, to: { userId } });
      return { chat_id: chatId, facility_id: facilityId, direct_user_id: userId };
    });
}

/** The same for a message to an on-call role. */
export function createRoleUpload(deps: AttachmentDeps) {
  return (
    ctx: RequestContext,
    { params, headers }: InputOf<typeof contract.createRoleUpload>,
  ): Promise<ReplyOf<Endpoint>> =>
    begin(ctx, deps, headers, async (db) => {
      const { facility: facilityId, role: roleId } = params;
      const chatId = await requireDirectTarget(db, { actor: ctx.actor, facilityId, to: { roleId } });
      return { chat_id: chatId, facility_id: facilityId, direct_role_id: roleId };
    });
}

/** For what the file is, asked with facts read now; refuses who may not write there. */
type FindPlace = (db: Database | DatabaseTransaction) => Promise<{
  readonly chat_id: string;
  readonly facility_id: string;
  readonly direct_user_id?: string;
  readonly direct_role_id?: string;
}>;

async function begin(
  { actor, db, http, write }: RequestContext,
  { allowed, uploads }: AttachmentDeps,
  headers: InputOf<Endpoint>['headers'],
  findPlace: FindPlace,
): Promise<ReplyOf<Endpoint>> {
  requireTus(http, headers);
  const { 'upload-length': bytes, 'upload-metadata': metadata } = headers;
  await findPlace(db);
  const name = readFileName(metadata);
  const voice = readVoice(metadata);
  if (bytes === 0) throw invalidField('upload-length', 'This file is empty.');
  if (bytes > allowed.maxBytes) throw new AppError('payload_too_large', { message: tooLarge(allowed.maxBytes) });
  await uploads.take(actor.userId);
  const [id, expiresAt] = [newId(), new Date(Date.now() + UPLOAD_MS)];
  return write('chat.attachment.begin', async (tx) => {
    await mustFitIntoDay(tx, actor.userId, bytes);
    const place = await findPlace(tx);
    const { chat_id: chat, facility_id: facilityId, direct_user_id: user, direct_role_id: role } = place;
    await tx
      .insertInto('attachments')
      .values({
        ...{ ...place, id, uploader_id: actor.userId, key: newAttachmentKey() },
        ...{ name, upload_bytes: bytes, expires_at: expiresAt },
        ...(voice && { duration_ms: voice.duration_ms, peaks: voice.peaks }),
      })
      .execute();
    await enqueueJob(tx, { kind: EXPIRE_JOB, payload: { attachment: id }, runAt: expiresAt });
    http.noteHeaders({ location: `/api/uploads/${id}` });
    noteProgress(http, { received: 0, bytes });
    const detail = { chat, bytes, ...(user && { user }), ...(role && { role }) };
    return {
      result: { id, state: 'uploading' as const, offset: 0, length: bytes },
      audit: { facilityId, objectType: 'attachment', objectId: id, detail },
    };
  });
}

/** As people count: 25 MB are 25 × 1,024 × 1,024 bytes here. */
function tooLarge(maxBytes: number): string {
  return `At most ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
}

const sums = typedRows<{ bytes: number }>({ bytes: 'number' });

/** Counted while nobody else begins one for the same person: uploads that are begun at once are begun in turn. */
async function mustFitIntoDay(tx: DatabaseTransaction, userId: string, bytes: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const query = sql`select begun_bytes_of_day(${userId}) as bytes`;
  if (((await sums.first(tx, query))?.bytes ?? 0) + bytes <= DAILY_BYTES) return;
  throw new AppError('too_many_requests', { message: 'You have sent 500 MB today. Send this tomorrow.' });
}
