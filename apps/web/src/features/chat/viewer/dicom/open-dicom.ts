import type { Adjust } from '#/features/chat/viewer/viewer-state.ts';
import { DicomError } from './dicom-error.ts';
import { adjusted, drawGrey, wholeWindow } from './grey.ts';
import { type DicomHead, type GreyWindow, readDicom } from './read-dicom.ts';
import { type DecodeJpeg, type DicomFrame, readFrame } from './read-frame.ts';

export type { DicomFrame, DicomHead };

/** Loads a DICOM file and reads what it says of its pictures. Rejects with a DicomError, or where it does not load. */
export async function openDicom(address: string, signal: AbortSignal): Promise<DicomHead> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`the file was not given: ${answer.status}`);
  return readDicom(new Uint8Array(await answer.arrayBuffer()));
}

export function loadFrame(head: DicomHead, index: number): Promise<DicomFrame> {
  return readFrame(head, index, decodeInBrowser);
}

/** How a frame looks, and of greys between which values: null of colours, which the page makes brighter itself. */
export function drawFrame(
  head: DicomHead,
  frame: DicomFrame,
  adjust: Adjust,
): { readonly rgba: Uint8ClampedArray<ArrayBuffer>; readonly window: GreyWindow | null } {
  if (frame.kind === 'colour') return { rgba: frame.rgba, window: null };
  const window = adjusted(head.window ?? wholeWindow(frame, head), adjust);
  return { rgba: drawGrey(frame, head, window), window };
}

const decodeInBrowser: DecodeJpeg = async (bytes) => {
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }), { colorSpaceConversion: 'none' });
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new DicomError('too_large');
  context.drawImage(picture, 0, 0);
  picture.close();
  return { width, height, rgba: context.getImageData(0, 0, width, height).data };
};
