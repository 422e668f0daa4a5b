// The only process that decodes pictures. It is given bytes and gives bytes back, has no secrets in its environment and
// no other work: whatever a picture does to it, the server starts another one.
import { encode } from 'blurhash';
import sharp from 'sharp';
import { endAtMemory } from '#/platform/child-process/end-at-memory.ts';
import { MOST_PIXELS } from './check-image.ts';
import { type DecodeReply, type DecodeRequest, type ImageOrder, withoutEnlargement } from './image-order.ts';

const MOST_MEMORY_BYTES = 320 * 1024 * 1024;

sharp.block({ operation: ['VipsForeignLoad', 'VipsForeignSave'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp'].flatMap((name) => [
    `VipsForeignLoad${name}Buffer`,
    `VipsForeignSave${name}Buffer`,
  ]),
});
sharp.cache(false);
sharp.concurrency(1);

const OPTIONS = { limitInputPixels: MOST_PIXELS, pages: 1, sequentialRead: true, failOn: 'warning' } as const;
/** A blurhash knows no more than what is left of a picture at this size. */
const BLURRED_SIDE = 32;

/** Turned as its camera was held, in sRGB, and without anything else that came with the pixels. */
async function make(bytes: Uint8Array, order: ImageOrder): Promise<Uint8Array> {
  const input = sharp(bytes, OPTIONS);
  const { width, height, pages = 1, autoOrient } = await input.metadata();
  if (pages > 1 || width * height > MOST_PIXELS) throw new Error('too large');
  const size = order.enlarge ? order : withoutEnlargement(order, autoOrient);
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const background = order.background === null ? clear : `#${order.background}`;
  let image = input.autoOrient();
  if (order.width !== null || order.height !== null) {
    image = image.resize(size.width, size.height, { fit: order.fit, background });
  }
  // JPEG has no transparency: what shows through is white unless said otherwise.
  if (order.background !== null || order.format === 'jpeg') {
    image = image.flatten({ background: order.background === null ? '#ffffff' : background });
  }
  return image.toFormat(order.format, { quality: order.quality }).toBuffer();
}

/** Four colours across and three down, as most pictures are wide; upright ones the other way. */
async function blur(bytes: Uint8Array): Promise<Uint8Array> {
  const size = { width: BLURRED_SIDE, height: BLURRED_SIDE, fit: 'inside' } as const;
  const image = sharp(bytes, OPTIONS).autoOrient().resize(size).flatten({ background: '#ffffff' }).ensureAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const [across, down] = info.width >= info.height ? [4, 3] : [3, 4];
  return Buffer.from(encode(new Uint8ClampedArray(data), info.width, info.height, across, down));
}

process.on('message', ({ bytes, order }: DecodeRequest) => {
  const answer = (reply: DecodeReply) => process.send?.(reply);
  (order === 'blurhash' ? blur(bytes) : make(bytes, order)).then(
    (made) => answer({ bytes: made }),
    (error: unknown) => answer({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
endAtMemory(MOST_MEMORY_BYTES);
