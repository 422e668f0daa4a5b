import * as z from 'zod/mini';
import { Id } from './values.ts';

/** What a file is, by its bytes. */
export const ATTACHMENT_KINDS = ['image', 'pdf', 'audio', 'video', 'office', 'dicom'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** As many files go with one message. */
export const ATTACHMENTS_MAX = 10;

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
});
export type Attachment = z.infer<typeof Attachment>;

/** The file itself, to be kept, and of a picture the two sizes in which it is shown. */
export const ATTACHMENT_SIZES = ['file', 'large', 'small'] as const;
export type AttachmentSize = (typeof ATTACHMENT_SIZES)[number];

/** Where a file of a message is asked for; who may is asked there each time. */
export function attachmentPath(id: string, size: AttachmentSize): string {
  return `/storage/attachments/${id}/${size}`;
}
