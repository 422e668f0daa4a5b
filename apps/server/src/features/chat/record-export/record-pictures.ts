import { buffer } from 'node:stream/consumers';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { ImageOrder } from '#/platform/images/image-order.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import { type JpegPicture, readJpegPicture } from '#/platform/pdf/jpeg-picture.ts';
import { findStored, type RecordFile } from './record-queries.ts';

interface PictureDeps {
  readonly files: FileStore;
  readonly images: ImageWorkers;
}

/** A picture of a record as a PDF shows it; null for any other file, and where it cannot be had now: it is named with its hash all the same. */
export type FindPicture = (db: Database, file: RecordFile) => Promise<JpegPicture | null>;

const ORDER: ImageOrder = {
  width: 480,
  height: 480,
  fit: 'inside',
  format: 'jpeg',
  quality: 75,
  background: 'ffffff',
  enlarge: false,
};

/** Shows the small picture that is stored beside each, as JPEG, which a PDF can carry. */
export function createFindPicture({ files, images }: PictureDeps): FindPicture {
  return async (db, { id, mime }) => {
    if (!mime.startsWith('image/')) return null;
    const stored = await findStored(db, id, 'small');
    const bytes = stored && (await files.read(stored));
    if (!bytes) return null;
    try {
      return readJpegPicture(await images.make(await buffer(bytes), ORDER));
    } catch {
      // Too many pictures are made just now, or this one is none: the record goes on without it.
      return null;
    }
  };
}
