import * as z from 'zod/mini';
import { Id } from '../values.ts';

/** What a file is, by its bytes. */
export const ATTACHMENT_KINDS = ['image', 'pdf', 'audio', 'video', 'office', 'dicom'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** As many files go with one message. */
export const ATTACHMENTS_MAX = 10;

/** How long a voice note may be. */
export const VOICE_MAX_MS = 5 * 60_000;

/** What the device that recorded a voice note says of it. */
export const Voice = z.object({
  duration_ms: z.int().check(z.gte(1), z.lte(60 * 60_000)),
  /** How loud it is, 0 to 100, in equal steps from its beginning to its end; null where that is not known. */
  peaks: z.nullable(z.array(z.int().check(z.gte(0), z.lte(100))).check(z.minLength(8), z.maxLength(64))),
});
export type Voice = z.infer<typeof Voice>;

/** A file of a message. A kind that a client does not know is a file to keep. */
export const Attachment = z.object({
  id: Id,
  kind: z.string(),
  name: z.string(),
  mime: z.string(),
  bytes: z.int(),
  /** Of a picture, as it is shown. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** What is drawn until the picture is there. */
  blurhash: z.nullable(z.string()),
  /**
   * Nobody is given it: `checking` for now, until it was looked at; `malware` or `unchecked` for good. One that a client does not
   * know is held back too.
   */
  held: z.optional(z.string()),
  /** It is a voice note. */
  voice: z.optional(Voice),
});
export type Attachment = z.infer<typeof Attachment>;

/** The file itself, to be kept, and of a picture the two sizes in which it is shown. */
export const ATTACHMENT_SIZES = ['file', 'large', 'small'] as const;
export type AttachmentSize = (typeof ATTACHMENT_SIZES)[number];

/** Where a file of a message is asked for; who may is asked there each time. */
export function attachmentPath(id: string, size: AttachmentSize): string {
  return `/storage/attachments/${id}/${size}`;
}
