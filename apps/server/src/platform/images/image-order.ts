import type { ImageFormat } from './image-header.ts';

export type ImageFit = 'cover' | 'contain' | 'inside';

/** How a picture shall be made anew. Without width and height it keeps its size. */
export interface ImageOrder {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: ImageFit;
  readonly format: ImageFormat;
  /** 1 to 100. */
  readonly quality: number;
  /** Six hexadecimal digits behind what is transparent; null leaves it so where the format can. */
  readonly background: string | null;
  /** False keeps a small picture small, in the proportions that were asked for. */
  readonly enlarge: boolean;
}

/** What the process that decodes is asked, and what it answers. */
export interface DecodeRequest {
  readonly bytes: Uint8Array;
  /** In place of a picture the text that stands for it until it is there (https://blurha.sh). */
  readonly order: ImageOrder | 'blurhash';
}
export type DecodeReply = { readonly bytes: Uint8Array } | { readonly error: string };

interface Size {
  readonly width: number | null;
  readonly height: number | null;
}

/** The asked size, shrunk in its own proportions until the source covers it. */
export function withoutEnlargement(asked: Size, source: { readonly width: number; readonly height: number }): Size {
  const { width, height } = asked;
  const scale = Math.min(1, source.width / (width ?? source.width), source.height / (height ?? source.height));
  const shrunk = (side: number | null) => side && Math.max(1, Math.round(side * scale));
  return { width: shrunk(width), height: shrunk(height) };
}
