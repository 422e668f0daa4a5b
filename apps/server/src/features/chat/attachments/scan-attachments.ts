import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { messageChanged } from '#/features/chat/core/chat-events.ts';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import { storeMessageChange } from '#/features/chat/core/message-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import type { MalwareScanner, ScanVerdict } from '#/platform/malware/clamd.ts';
import { type AttachmentDeps, attachmentFile } from './attachment-store.ts';
import { removeFiles } from './remove-attachments.ts';

export const SCAN_JOB = 'chat.attachment.scan';

/** Who uploads waits so long; after that the file waits. */
const UPLOAD_MS = 10_000;
const JOB_MS = 100_000;
/** Between two looks at a file that nobody could look at. */
const AGAIN_MS = 60_000;
const GATE = { atOnce: 4, waiting: 64 };

const Payload = z.object({ attachment: Id });

export interface ScanDeps {
  readonly files: FileStore;
  /** Null where the operator has set up none. */
  readonly scanner: MalwareScanner | null;
  readonly log: Log;
}

/** Looks at the moment of the upload, at what is stored: that alone is ever given to anybody. Null where nobody looks at any file. */
export function createLook({ files, scanner, log }: ScanDeps): AttachmentDeps['look'] {
  if (scanner === null) return null;
  const gate = createGate(GATE);
  return async (key) => {
    try {
      return await gate.run(() => scanStored({ files, scanner, key, timeoutMs: UPLOAD_MS }));
    } catch (error) {
      log.warn({ err: error }, 'a file waits to be checked for malware');
      return null;
    }
  };
}

interface StoredScan {
  readonly files: FileStore;
  readonly scanner: MalwareScanner;
  readonly key: string;
  readonly timeoutMs: number;
}

async function scanStored({ files, scanner, key, timeoutMs }: StoredScan): Promise<ScanVerdict> {
  const stream = await files.read(attachmentFile(key, 'file'));
  return stream === null ? { verdict: 'unchecked', reason: 'missing' } : scanner.scan(stream, timeoutMs);
}

export async function enqueueScan(tx: DatabaseTransaction, id: string, delayMs = AGAIN_MS): Promise<void> {
  await enqueueJob(tx, { kind: SCAN_JOB, payload: { attachment: id }, runAt: new Date(Date.now() + delayMs) });
}

/**
 * Looks again at a file that waits, each minute until somebody could: a scanner that is away for a night must not let anything through,
 * nor lose anything. Where none is set up any more the file waits on.
 */
export function createScanJob({ files, scanner, log, publish }: ScanDeps & { readonly publish: Publish }): JobHandler {
  return async (payload, context) => {
    const { attachment: id } = Payload.parse(payload);
    const found = await context.db
      .selectFrom('attachments')
      .select(['key', 'facility_id', 'chat_id'])
      .where('id', '=', id)
      .where('state', '=', 'ready')
      .where('scan', '=', 'pending')
      .executeTakeFirst();
    if (found === undefined) return;
    const { key, facility_id: facilityId, chat_id: chatId } = found;
    // However it fails: a job that gave up would leave the file waiting for ever.
    const verdict = await (scanner && scanStored({ files, scanner, key, timeoutMs: JOB_MS }))?.catch(
      (error: unknown) => {
        log.warn({ err: error }, 'a file goes on waiting to be checked for malware');
        return null;
      },
    );
    const write = createJobWrite(context, publish);
    await write('chat.attachment.scan', async (tx) => {
      if (!verdict) {
        await enqueueScan(tx, id);
        return { result: undefined, audit: null };
      }
      await lockChat(tx, chatId);
      const message = await storeVerdict(tx, id, verdict);
      return {
        result: undefined,
        audit: {
          ...{ facilityId, objectType: 'attachment', objectId: id },
          ...(verdict.verdict !== 'clean' && { outcome: 'refused' as const }),
          detail: { chat: chatId, ...verdict },
        },
        publish: message ? await messageChanged(tx, 'MessageEdited', message) : [],
      };
    });
  };
}

/** Under the chat's lock. What was found reaches the message as well; a file that no message has and nobody may have is given up. */
async function storeVerdict(tx: DatabaseTransaction, id: string, { verdict }: ScanVerdict) {
  const changed = await tx
    .updateTable('attachments')
    .set({ scan: verdict })
    .where('id', '=', id)
    .where('scan', '=', 'pending')
    .returning('message_id')
    .executeTakeFirst();
  if (changed === undefined) return null;
  if (changed.message_id === null) {
    if (verdict !== 'clean') await removeFiles(tx, { ids: [id] });
    return null;
  }
  const sent = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', changed.message_id)
    .where('attachments', 'is not', null)
    .executeTakeFirst();
  if (sent === undefined) return null;
  const ids = sql`(select jsonb_agg(file -> 'id' order by place) from jsonb_array_elements(m.attachments) with ordinality as f (file, place))`;
  return storeMessageChange(tx, sent.id, sql`attachments = attachments_of(${ids})`);
}
