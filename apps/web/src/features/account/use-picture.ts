import { useEffect, useState } from 'react';
import { openPicture } from './cut-picture.ts';

export type PictureState =
  | { readonly status: 'loading' | 'failed' }
  | { readonly status: 'open'; readonly bitmap: ImageBitmap; readonly url: string };

/** The picture in a file, for as long as it is shown. */
export function usePicture(file: File): PictureState {
  const [picture, setPicture] = useState<PictureState>({ status: 'loading' });
  useEffect(() => {
    let isOver = false;
    let opened: ImageBitmap | null = null;
    const url = URL.createObjectURL(file);
    setPicture({ status: 'loading' });
    openPicture(file).then(
      (bitmap) => {
        if (isOver) return bitmap.close();
        opened = bitmap;
        setPicture({ status: 'open', bitmap, url });
      },
      () => isOver || setPicture({ status: 'failed' }),
    );
    return () => {
      isOver = true;
      URL.revokeObjectURL(url);
      opened?.close();
    };
  }, [file]);
  return picture;
}
