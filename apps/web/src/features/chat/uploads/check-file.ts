import type { AttachmentKind } from '@wardline/contract/chat/attachments.ts';
import { formatBytes } from '@wardline/format/bytes.ts';
import type { FileRef } from '#/features/chat/core/file-ref.ts';

/** What the operator lets people send. */
export interface UploadLimits {
  readonly maxBytes: number;
  readonly kinds: readonly string[];
}

const ENDINGS: Readonly<Record<AttachmentKind, readonly string[]>> = {
  image: ['jpg', 'jpeg', 'png', 'webp'],
  pdf: ['pdf'],
  audio: ['wav', 'mp3', 'ogg', 'oga', 'opus', 'flac', 'm4a', 'weba'],
  video: ['mp4', 'm4v', 'mov', 'qt', 'webm'],
  office: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
  dicom: ['dcm', 'dicom'],
};
const KINDS = Object.keys(ENDINGS) as AttachmentKind[];

const LABELS: Readonly<Record<AttachmentKind, string>> = {
  image: 'pictures (JPEG, PNG, WebP)',
  pdf: 'PDF',
  audio: 'sound',
  video: 'video',
  office: 'office documents without macros',
  dicom: 'DICOM',
};

/**
 * Why a file can't be sent, in words, before anything of it is; null where nothing speaks against it. What it is its bytes say, at
 * the server: here its name and type have to do, and limits that are not known yet.
 */
export function refusalOf(file: Pick<FileRef, 'name' | 'size' | 'type'>, limits: UploadLimits | null): string | null {
  if (file.size === 0) return 'This file is empty.';
  if (limits && file.size > limits.maxBytes) {
    return `This file has ${formatBytes(file.size)}; at most ${formatBytes(limits.maxBytes)} can be sent.`;
  }
  const kinds = KINDS.filter((kind) => limits?.kinds.includes(kind) ?? true);
  const kind = kindOf(file);
  if (kind === undefined || (kind !== null && kinds.includes(kind))) return null;
  return `Files of this kind can’t be sent. You can send ${kinds.map((allowed) => LABELS[allowed]).join(', ')}.`;
}

/** By the ending of its name; null for one that is none of the kinds, undefined where it has none and the server must say. */
export function kindOf({ name }: Pick<FileRef, 'name'>): AttachmentKind | null | undefined {
  const ending = /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined) return undefined;
  return KINDS.find((kind) => ENDINGS[kind].includes(ending)) ?? null;
}
