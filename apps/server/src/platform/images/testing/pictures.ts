import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageFormat } from '../image-header.ts';

export interface PictureOptions {
  readonly width: number;
  readonly height: number;
  readonly format?: ImageFormat | 'gif' | 'tiff';
  readonly colour?: string;
  /** Text for the camera's description, as EXIF. */
  readonly description?: string;
  readonly orientation?: number;
}

/** A picture of one colour. */
export function picture(options: PictureOptions): Promise<Buffer> {
  const { width, height, format = 'png', colour = '#7c3aed', description, orientation } = options;
  let image = sharp({ create: { width, height, channels: 3, background: colour } });
  if (description !== undefined) image = image.withExif({ IFD0: { ImageDescription: description } });
  if (orientation !== undefined) image = image.withMetadata({ orientation });
  return image.toFormat(format).toBuffer();
}

/** What a server without limits would do with a picture, to compare with. */
export function decodeUnguarded(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).resize(512, 512).webp().toBuffer();
}

/** A WebP or GIF of several frames. */
export function animation(format: 'webp' | 'gif', frames: number): Promise<Buffer> {
  const side = 8;
  const pixels = Buffer.alloc(side * side * frames * 3, 0);
  for (let frame = 0; frame < frames; frame++) pixels.fill((frame * 37) % 256, frame * side * side * 3);
  return sharp(pixels, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .toFormat(format, { loop: 0, delay: Array.from({ length: frames }, () => 40) })
    .toBuffer();
}

/** A PNG of black and white of any size, in few bytes: what it says in its head it really holds. */
export function plainPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return pngOf([
    ['IHDR', head],
    ['IDAT', deflateSync(rows, { level: 9 })],
    ['IEND', Buffer.alloc(0)],
  ]);
}

/** A PNG put together from its chunks. */
export function pngOf(chunks: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([name, data]) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  });
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

/** The chunks of a PNG, to be put together otherwise. */
export function chunksOf(png: Buffer): [name: string, data: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}
