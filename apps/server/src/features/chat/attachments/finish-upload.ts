import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { AttachmentKind } from '@wardline/contract/chat/attachments.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { ImageError, type ImageFault } from '#/platform/images/check-image.ts';
import { readImageHeader } from '#/platform/images/image-header.ts';
import type { ImageOrder } from '#/platform/images/image-order.ts';
import type { ScanVerdict } from '#/platform/malware/clamd.ts';
import { type AttachmentDeps, attachmentFile, partFile, type UploadRecord } from './attachment-store.ts';
import { type FileKind, nameFor, readFileKind } from './file-kind.ts';
import { removeFiles, removeStored } from './remove-attachments.ts';
import { enqueueScan } from './scan-attachments.ts';

type Finishing = Pick<RequestContext, 'db' | 'log' | 'write'>;
type FinishDeps = Omit<AttachmentDeps, 'uploads'>;
export type FinishUpload = (ctx: Finishing, upload: UploadRecord) => Promise<void>;

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

const HELD_LABELS: Readonly<Record<'infected' | 'unchecked', string>> = {
  infected: 'This file was held back: it may contain malware.',
  unchecked: 'This file is too large to be checked for malware, and can’t be sent.',
};

interface ReadyFile {
  readonly kind: FileKind;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly picture: { readonly width: number; readonly height: number; readonly blurhash: string } | null;
}

interface ScannedFile extends ReadyFile {
  readonly scan: 'clean' | 'pending' | null;
}

/** Handed on as they are, piece by piece; the others are in memory as a whole. */
const STREAMED: ReadonlySet<AttachmentKind> = new Set(['pdf', 'audio', 'video', 'dicom']);
/** What tells them. */
const HEAD_BYTES = 64 * 1024;

/** Makes a file of an upload that is whole, or ends it with what is wrong with it. To be tried again where it broke off. */
export function createFinishUpload(deps: FinishDeps): FinishUpload {
  const { files, look } = deps;
  const gate = createGate(GATE);
  return async (ctx, upload) => {
    const ready = await gate.run(() => makeReady(deps, upload).catch((error: unknown) => error as Error));
    if (ready instanceof Error) {
      if (!(ready instanceof AppError) || ready.code !== 'unprocessable') throw ready;
      await refuse(deps, ctx, { upload });
      throw ready;
    }
    const found = look && (await look(upload.key));
    if (found && found.verdict !== 'clean') {
      await refuse(deps, ctx, { upload, found });
      throw new AppError('unprocessable', { message: HELD_LABELS[found.verdict] });
    }
    const scan = look && (found?.verdict ?? 'pending');
    if (!(await noteReady(ctx, upload, { ...ready, scan }))) {
      await removeIfGone(ctx, files, upload);
      throw new AppError('not_found');
    }
    // It stands: what stays behind of its parts goes with the file.
    await files
      .removeUnfinished(partFile(upload.key))
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'the parts of a file could not be removed'));
  };
}

async function makeReady(deps: FinishDeps, { key, bytes: length }: UploadRecord): Promise<ReadyFile> {
  const { files } = deps;
  const open = async () => {
    const source = await files.readUnfinished(partFile(key), length);
    if (source === null) throw new AppError('not_found');
    return source;
  };
  const asSent = readFileKind(await readHead(await open()));
  if (asSent !== null && STREAMED.has(asSent.kind)) {
    requireAllowed(deps, asSent);
    const { source, sha256 } = hashing(await open());
    await files.put(attachmentFile(key, 'file'), source);
    return { kind: asSent, bytes: length, sha256: sha256(), picture: null };
  }
  const given = await buffer(await open());
  const kind = requireAllowed(deps, readFileKind(given));
  if (kind.kind === 'image') return makePicture(deps, { key, from: kind, given });
  await files.put(attachmentFile(key, 'file'), given);
  return { kind, bytes: length, sha256: createHash('sha256').update(given).digest(), picture: null };
}

async function readHead(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(piece);
    size += piece.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces, size);
}

function hashing(from: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  async function* source() {
    for await (const piece of from) {
      hash.update(piece);
      yield piece;
    }
  }
  return { source: source(), sha256: () => hash.digest() };
}

function requireAllowed({ allowed }: Pick<AttachmentDeps, 'allowed'>, kind: FileKind | null): FileKind {
  if (kind !== null && allowed.kinds.includes(kind.kind)) return kind;
  const labels = allowed.kinds.map((allowedKind) => KIND_LABELS[allowedKind]).join(', ');
  throw new AppError('unprocessable', { message: `Files of this kind can’t be sent. You can send ${labels}.` });
}

interface GivenPicture {
  readonly key: string;
  readonly from: FileKind;
  readonly given: Buffer;
}

/** Nothing that was uploaded is kept: the picture and its smaller ones are made anew from its pixels. */
async function makePicture({ images, files }: FinishDeps, { key, from, given }: GivenPicture): Promise<ReadyFile> {
  const isJpeg = from.mime === 'image/jpeg';
  const format = isJpeg ? 'jpeg' : 'webp';
  const make = (bytes: Buffer, order: ImageOrder) => images.make(bytes, order).catch(sayFault);
  const bytes = await make(given, { ...WHOLE, format, quality: 90 });
  const size = readImageHeader(bytes);
  if (size === null) throw new Error('a picture that was made anew cannot be read');
  const large = await make(bytes, smaller(size, LARGE));
  const small = await make(large, smaller(size, SMALL));
  const blurhash = await images.blurhash(small);
  await files.put(attachmentFile(key, 'file'), bytes);
  await files.put(attachmentFile(key, 'large'), large);
  await files.put(attachmentFile(key, 'small'), small);
  const kind: FileKind = isJpeg ? from : { kind: 'image', mime: 'image/webp', endings: ['webp'] };
  const { width, height } = size;
  const sha256 = createHash('sha256').update(bytes).digest();
  return { kind, bytes: bytes.length, sha256, picture: { width, height, blurhash } };
}

function sayFault(error: unknown): never {
  if (!(error instanceof ImageError)) throw error;
  throw new AppError('unprocessable', { message: FAULT_LABELS[error.fault], cause: error });
}

function smaller(
  { width, height }: { readonly width: number; readonly height: number },
  { side, quality }: { readonly side: number; readonly quality: number },
): ImageOrder {
  const scale = Math.min(1, side / Math.max(width, height));
  const scaled = (of: number) => Math.max(1, Math.round(of * scale));
  return { ...WHOLE, fit: 'cover', width: scaled(width), height: scaled(height), format: 'webp', quality };
}

/** False where it is under way no more. */
function noteReady(ctx: Finishing, upload: UploadRecord, ready: ScannedFile): Promise<boolean> {
  const { kind, bytes, sha256, picture, scan } = ready;
  return ctx.write('chat.attachment.upload', async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('attachments')
      .set({
        ...{ state: 'ready', scan, kind: kind.kind, mime: kind.mime, name: nameFor(kind, upload.name) },
        ...{ bytes, sha256, expires_at: new Date(Date.now() + UNSENT_MS) },
        // Whatever the device said: what is no sound has no voice.
        ...(kind.kind !== 'audio' && { duration_ms: null, peaks: null }),
        ...{ width: picture?.width ?? null, height: picture?.height ?? null, blurhash: picture?.blurhash ?? null },
      })
      .where('id', '=', upload.id)
      .where('state', '=', 'uploading')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { result: false, audit: null };
    if (scan === 'pending') await enqueueScan(tx, upload.id);
    const { facilityId, chatId: chat, id: objectId } = upload;
    const detail = { chat, kind: kind.kind, bytes, ...(scan && { scan }) };
    return { result: true, audit: { facilityId, objectType: 'attachment', objectId, detail } };
  });
}

/**
 * What was cancelled while it was made ready: its files may have been taken away before these were there. What another server has
 * made ready stays.
 */
async function removeIfGone({ db }: Finishing, files: FinishDeps['files'], { id, key }: UploadRecord): Promise<void> {
  const found = await db.selectFrom('attachments').select('state').where('id', '=', id).executeTakeFirst();
  if (found === undefined || found.state === 'removing') await removeStored(files, key);
}

interface Refused {
  readonly upload: UploadRecord;
  readonly found?: ScanVerdict;
}

async function refuse({ files }: FinishDeps, ctx: Finishing, { upload, found }: Refused): Promise<void> {
  const { id, facilityId, chatId } = upload;
  const removed = await ctx.write('chat.attachment.refuse', async (tx) => {
    return {
      result: await removeFiles(tx, { ids: [id] }),
      audit: {
        facilityId,
        objectType: 'attachment',
        objectId: id,
        outcome: 'refused',
        detail: { chat: chatId, ...found },
      },
    };
  });
  if (removed.length === 0) await removeIfGone(ctx, files, upload);
}
