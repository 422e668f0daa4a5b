import type { Attachment } from '@wardline/contract/chat/attachments.ts';

/** A picture with who sent it. */
export interface ViewedPicture {
  readonly file: Attachment;
  readonly sender: string;
}

/** What of a picture is known besides its looks. */
export interface PictureGeometry {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Between two pixels, in millimetres, across and down; null where the picture does not say it. */
  readonly spacing: { readonly x: number; readonly y: number } | null;
  /** How many pictures it has. */
  readonly frames: number;
}
