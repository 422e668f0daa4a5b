import type * as contract from '@wardline/contract/chat/records.ts';
import { sql } from 'kysely';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findChatsOfPatients } from '#/features/chat/core/patient-chats.ts';
import { manageRecords } from '#/features/chat/core/policy.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { requireChatOfRecords } from '#/features/chat/records/get-chat-record.ts';
import { requireRecords } from '#/features/chat/records/retention-rules.ts';
import { inOwnFacilities, keepStated } from '#/platform/db/stated-actor.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { recordArchive, type Written } from './record-archive.ts';
import type { RecordDeps } from './record-content.ts';
import type { RecordPdfPrinter } from './record-pdf.ts';
import { type ExportedChat, findExportedChats, findExportingFacility, weighFiles } from './record-queries.ts';
import type { RecordSigner } from './record-signature.ts';

export interface ExportDeps extends RecordDeps {
  readonly files: FileStore;
  readonly signer: RecordSigner;
  readonly printer: RecordPdfPrinter;
  /** How often one person may take records. */
  readonly exports: Counter;
}

/** What one archive may hold: a browser keeps it until it is saved, and a ZIP counts its files in 16 bits. */
const MOST = { chats: 200, messages: 500_000, files: 20_000, bytes: 1_500_000_000 };

/** A chat, by who answers for the record, whether they are in it or not; the people in it are told at once. */
export function exportChatRecord(deps: ExportDeps) {
  return async (
    ctx: RequestContext,
    { params, body }: InputOf<typeof contract.exportChatRecord>,
  ): Promise<Download> => {
    const { facilityId } = await requireChatOfRecords(ctx.db, { actor: ctx.actor, chatId: params.chat });
    const which = sql`c.id = ${params.chat}`;
    const chats = await inOwnFacilities(() => findExportedChats(ctx.db, { facilityId, which }));
    return inOwnFacilities(() => exportRecord(ctx, { deps, facilityId, chats, reason: body.reason }));
  };
}

/** All chats of a facility about one patient, who is meant by number and date of birth; by the number alone where a chat has no date. */
export function exportPatientRecord(deps: ExportDeps) {
  return async (
    ctx: RequestContext,
    { params, body }: InputOf<typeof contract.exportPatientRecord>,
  ): Promise<Download> => {
    const facilityId = params.facility;
    requireRecords(ctx.actor, facilityId);
    const { identifier, born_on = null, reason } = body;
    const ids = (await findChatsOfPatients(ctx.db, facilityId, [identifier])).get(identifier) ?? [];
    const which = sql`
      c.id = any(${ids}::uuid[]) and (c.patient_born_on is null or c.patient_born_on = ${born_on}::date)`;
    const chats = await inOwnFacilities(() => findExportedChats(ctx.db, { facilityId, which }));
    if (chats.length === 0) throw new AppError('not_found', { message: 'No chat here is about this patient.' });
    return inOwnFacilities(() => exportRecord(ctx, { deps, facilityId, chats, reason }));
  };
}

interface Asked {
  readonly deps: ExportDeps;
  readonly facilityId: string;
  readonly chats: readonly ExportedChat[];
  readonly reason: string;
}

async function exportRecord(ctx: RequestContext, { deps, facilityId, chats, reason }: Asked): Promise<Download> {
  const { actor, db } = ctx;
  await deps.exports.take(actor.userId);
  const ids = chats.map(({ id }) => id);
  await requireRoom(db, chats);
  await tellChats(ctx, { facilityId, ids, reason });
  const standing = await findExportedChats(db, { facilityId, which: sql`c.id = any(${ids}::uuid[])` });
  const at = new Date().toISOString();
  const facility = { id: facilityId, ...(await findExportingFacility(db, facilityId)) };
  const of = { ...deps, db, facility, chats: standing, reason, at, by: { id: actor.userId, name: actor.name } };
  const onWhole = (written: Written) => noteExported(ctx, { facilityId, chats: standing, written });
  const fileName = `record-${ids.length === 1 ? ids[0] : facilityId}-${at.slice(0, 10)}.zip`;
  return { fileName, contentType: 'application/zip', body: keepStated(recordArchive(of, { ...deps, onWhole })) };
}

async function requireRoom(db: RequestContext['db'], chats: readonly ExportedChat[]): Promise<void> {
  const { files, bytes } = await weighFiles(
    db,
    chats.map(({ id }) => id),
  );
  const messages = chats.reduce((sum, { head_seq }) => sum + head_seq, 0);
  const isTooLarge = chats.length > MOST.chats || messages > MOST.messages || files > MOST.files || bytes > MOST.bytes;
  if (isTooLarge) throw new AppError('conflict', { message: 'This is too much for one archive. Export chat by chat.' });
}

/** Before the first byte: the audit has who takes what, and everybody in a chat reads that it was taken and why. */
async function tellChats(
  { actor, write }: RequestContext,
  { facilityId, ids, reason }: { facilityId: string; ids: readonly string[]; reason: string },
): Promise<void> {
  for (const chatId of ids) {
    await write('record.export', async (tx) => {
      await lockChat(tx, chatId);
      await authorizeNow(tx, actor, manageRecords, { facilityId });
      const lines = await appendLines(tx, { actor, chatId, facilityId }, [
        `exported this chat to the record: ${reason}`,
      ]);
      const publish: Publication[] = [...lines.flatMap(messageSent), ...chatChanged(await loadChatChange(tx, chatId))];
      return { result: undefined, audit: { facilityId, objectType: 'chat', objectId: chatId }, publish };
    });
  }
}

/** The archive is whole: what it has of each chat may be deleted where that waits for it. */
async function noteExported(
  { write }: RequestContext,
  { facilityId, chats, written }: { facilityId: string; chats: readonly ExportedChat[]; written: Written },
): Promise<void> {
  for (const { id: chatId, head_seq, head_change_seq } of chats) {
    await write('record.export_end', async (tx) => {
      await tx
        .updateTable('chats')
        .set({ exported_at: sql`now()`, exported_seq: head_seq, exported_change_seq: head_change_seq })
        .where('id', '=', chatId)
        .where('exported_seq', '<=', head_seq)
        .execute();
      const { manifestSha256: manifest, files, bytes } = written;
      return {
        result: undefined,
        audit: {
          ...{ facilityId, objectType: 'chat', objectId: chatId },
          detail: { manifest_sha256: manifest, messages: head_seq, archive_files: files, archive_bytes: bytes },
        },
      };
    });
  }
}
