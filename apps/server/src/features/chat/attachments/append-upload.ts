import type { Readable } from 'node:stream';
import type * as contract from '@wardline/contract/chat/uploads.ts';
import { PartLostError } from '#/platform/files/file-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type AttachmentDeps, partFile, requireUpload, type UploadRecord } from './attachment-store.ts';
import type { FinishUpload } from './finish-upload.ts';
import { noteProgress, requireTus } from './tus.ts';

type Endpoint = typeof contract.appendUpload;

/**
 * Adds what arrives to an upload and keeps it, however the request ends. The bytes reach the disk first, then the row says
 * so: after a crash the upload goes on at the last place that both know.
 */
export function appendUpload({ files }: AttachmentDeps, finish: FinishUpload) {
  const turns = createTurns();
  return async (ctx: RequestContext, stream: Readable, { params, headers }: InputOf<Endpoint>): Promise<undefined> => {
    requireTus(ctx.http, headers);
    // Before anything is ended for somebody who may not.
    await requireUpload(ctx.db, ctx, params.upload);
    const endTurn = await turns.take(params.upload, stream);
    try {
      const upload = await requireUpload(ctx.db, ctx, params.upload);
      if (headers['upload-offset'] !== upload.received) {
        noteProgress(ctx.http, upload);
        throw anotherPlace();
      }
      const part = await receive(files, upload, stream).catch(async (error: unknown) => {
        // What came was left elsewhere, as when a bucket was left for a folder: who sends asks how far it came, and begins again.
        if (!(error instanceof PartLostError)) throw error;
        await noteReceived(ctx, upload, 0);
        noteProgress(ctx.http, { ...upload, received: 0 });
        throw anotherPlace();
      });
      if (part.fault === 'too_large') throw new AppError('payload_too_large', { message: 'More than was announced.' });
      if (part.size > upload.received) await noteReceived(ctx, upload, part.size);
      if (part.fault === 'broken') throw new AppError('bad_request');
      noteProgress(ctx.http, { received: part.size, bytes: upload.bytes });
      if (part.size === upload.bytes && upload.state === 'uploading') await finish(ctx, upload);
      return undefined;
    } finally {
      endTurn();
    }
  };
}

interface Part {
  /** How long the upload is now. */
  readonly size: number;
  readonly fault: 'broken' | 'too_large' | null;
}

async function receive(files: AttachmentDeps['files'], upload: UploadRecord, stream: Readable): Promise<Part> {
  const faults: Part['fault'][] = [];
  async function* arriving(): AsyncGenerator<Uint8Array> {
    let room = upload.bytes - upload.received;
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        room -= bytes.length;
        if (room < 0) {
          faults.push('too_large');
          return;
        }
        yield bytes;
      }
    } catch {
      faults.push('broken');
    }
  }
  if (upload.state === 'ready') {
    for await (const _bytes of arriving());
    return { size: upload.received, fault: faults[0] ?? null };
  }
  const size = await files.append(partFile(upload.key), upload.received, arriving());
  return { size, fault: faults[0] ?? null };
}

const anotherPlace = () => new AppError('conflict', { message: 'This upload has reached another place.' });

/** What is under way needs no entry in the audit; the file as a whole has one. */
async function noteReceived(ctx: RequestContext, upload: UploadRecord, size: number): Promise<void> {
  await ctx.write('chat.attachment.receive', async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('attachments')
      .set({ received_bytes: size })
      .where('id', '=', upload.id)
      .where('state', '=', 'uploading')
      .where('received_bytes', '=', upload.received)
      .executeTakeFirst();
    // Another server has added to it meanwhile: who sends asks how far it came.
    if (numUpdatedRows === 0n) throw anotherPlace();
    return { result: undefined, audit: null };
  });
}

/**
 * One request at a time adds to an upload. A connection that is dead to the browser may seem alive here for minutes: the
 * newer request ends it, and begins when what it brought is kept.
 */
function createTurns() {
  const running = new Map<string, { readonly stream: Readable; readonly ended: Promise<void> }>();
  return {
    async take(uploadId: string, stream: Readable): Promise<() => void> {
      for (let other = running.get(uploadId); other !== undefined; other = running.get(uploadId)) {
        other.stream.destroy();
        await other.ended;
      }
      return new Promise((begin) => {
        const ended = new Promise<void>((resolve) => {
          begin(() => {
            running.delete(uploadId);
            resolve();
          });
        });
        running.set(uploadId, { stream, ended });
      });
    },
  };
}
