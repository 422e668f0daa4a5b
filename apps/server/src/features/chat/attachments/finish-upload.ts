import { createHash } from 'node:crypto';
import type { AttachmentKind } from '@wardline/contract/attachments.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { ImageError, type ImageFault } from '#/platform/images/check-image.ts';
import { readImageHeader } from '#/platform/images/image-header.ts';
import type { ImageOrder } from '#/platform/images/image-order.ts';
import { type AttachmentDeps, attachmentFile, partFile, type UploadRecord } from './attachment-store.ts';
import { type FileKind, nameFor, readFileKind } from './file-kind.ts';
import { removeFiles } from './remove-attachments.ts';

export type FinishUpload = (ctx: RequestContext, upload: UploadRecord) => Promise<void>;

/** How long a file that is ready waits for its message. */
const UNSENT_MS = 7 * 24 * 60 * 60_000;
/** As many whole files are in memory. */
const GATE = { atOnce: 4, waiting: 32 };

const WHOLE = { width: null, height: null, fit: 'inside', background: null, enlarge: true } as const;
const LARGE = { side: 1_600, quality: 80 };
const SMALL = { side: 480, quality: 72 };

const KIND_LABELS: Readonly<Record<AttachmentKind, string>> = {
  image: 'pictures (JPEG, PNG, WebP)',
  pdf: 'PDF',
  audio: 'sound',
  video: 'video',
  office: 'office documents without macros',
  dicom: 'DICOM',
};
const FAULT_LABELS: Readonly<Record<ImageFault, string>> = {
  not_an_image: 'This picture cannot be read.',
  animated: 'Moving pictures can’t be sent.',
  too_large: 'This picture has too many pixels.',
  unreadable: 'This picture cannot be read.',
};

interface ReadyFile {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly picture: {
    readonly width: number;
    readonly height: number;
    readonly blurhash: string;
    readonly sizes: { readonly large: Buffer; readonly small: Buffer };
  } | null;
}

/** Makes a file of an upload that is whole, or ends it with what is wrong with it. To be tried again where it broke off. */
export function createFinishUpload(deps: AttachmentDeps): FinishUpload {
  const { files, nudgeJobs } = deps;
  const gate = createGate(GATE);
  return async (ctx, upload) => {
    const ready = await gate.run(async () => {
      const bytes = await files.get(partFile(upload.key));
      if (bytes === null) throw new AppError('not_found');
      const made = await makeReady(deps, bytes).catch((error: unknown) => error as Error);
      if (made instanceof Error) return made;
      await files.put(attachmentFile(upload.key, 'file'), made.bytes);
      for (const size of ['large', 'small'] as const) {
        if (made.picture) await files.put(attachmentFile(upload.key, size), made.picture.sizes[size]);
      }
      return made;
    });
    if (ready instanceof Error) {
      if (!(ready instanceof AppError) || ready.code !== 'unprocessable') throw ready;
      await refuse(ctx, upload);
      nudgeJobs();
      throw ready;
    }
    await noteReady(ctx, upload, ready);
    await files.remove(partFile(upload.key));
  };
}

async function makeReady({ allowed, images }: AttachmentDeps, bytes: Buffer): Promise<ReadyFile> {
  const kind = readFileKind(bytes);
  if (kind === null || !allowed.kinds.includes(kind.kind)) {
    const labels = allowed.kinds.map((allowedKind) => KIND_LABELS[allowedKind]).join(', ');
    throw new AppError('unprocessable', { message: `Files of this kind can’t be sent. You can send ${labels}.` });
  }
  if (kind.kind !== 'image') return { kind, bytes, picture: null };
  try {
    return await makePicture(images, kind, bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new AppError('unprocessable', { message: FAULT_LABELS[error.fault], cause: error });
  }
}

/** Nothing that was uploaded is kept: the picture and its smaller ones are made anew from its pixels. */
async function makePicture(images: AttachmentDeps['images'], from: FileKind, given: Buffer): Promise<ReadyFile> {
  const isJpeg = from.mime === 'image/jpeg';
  const format = isJpeg ? 'jpeg' : 'webp';
  const bytes = await images.make(given, { ...WHOLE, format, quality: 90 });
  const size = readImageHeader(bytes);
  if (size === null) throw new Error('a picture that was made anew cannot be read');
  const large = await images.make(bytes, smaller(size, LARGE));
  const small = await images.make(large, smaller(size, SMALL));
  const blurhash = await images.blurhash(small);
  const kind: FileKind = isJpeg ? from : { kind: 'image', mime: 'image/webp', endings: ['webp'] };
  const { width, height } = size;
  return { kind, bytes, picture: { width, height, blurhash, sizes: { large, small } } };
}

function smaller(
  { width, height }: { readonly width: number; readonly height: number },
  { side, quality }: { readonly side: number; readonly quality: number },
): ImageOrder {
  const scale = Math.min(1, side / Math.max(width, height));
  const scaled = (of: number) => Math.max(1, Math.round(of * scale));
  return { ...WHOLE, fit: 'cover', width: scaled(width), height: scaled(height), format: 'webp', quality };
}

async function noteReady(ctx: RequestContext, upload: UploadRecord, { kind, bytes, picture }: ReadyFile) {
  await ctx.write('chat.attachment.upload', async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('attachments')
      .set({
        ...{ state: 'ready', kind: kind.kind, mime: kind.mime, name: nameFor(kind, upload.name) },
        bytes: bytes.length,
        ...{ sha256: createHash('sha256').update(bytes).digest(), expires_at: new Date(Date.now() + UNSENT_MS) },
        ...{ width: picture?.width ?? null, height: picture?.height ?? null, blurhash: picture?.blurhash ?? null },
      })
      .where('id', '=', upload.id)
      .where('state', '=', 'uploading')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('not_found');
    const { facilityId, chatId: chat, id: objectId } = upload;
    const detail = { chat, kind: kind.kind, bytes: bytes.length };
    return { result: undefined, audit: { facilityId, objectType: 'attachment', objectId, detail } };
  });
}

async function refuse(ctx: RequestContext, { id, facilityId, chatId }: UploadRecord): Promise<void> {
  await ctx.write('chat.attachment.refuse', async (tx) => {
    await removeFiles(tx, { ids: [id] });
    return {
      result: undefined,
      audit: { facilityId, objectType: 'attachment', objectId: id, outcome: 'refused', detail: { chat: chatId } },
    };
  });
}
