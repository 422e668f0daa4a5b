import openJpegUrl from '@cornerstonejs/codec-openjpeg/decodewasm?url';
import type { Adjust } from '#/features/chat/viewer/viewer-state.ts';
import { DicomError } from './dicom-error.ts';
import { createFrameDecoder } from './frame-decoder.ts';
import { adjusted, drawGrey, wholeWindow } from './grey.ts';
import { inflateDicom } from './inflate-dicom.ts';
import { type DicomHead, type GreyWindow, readDicom } from './read-dicom.ts';
import { type Decoders, type DicomFrame, readFrame } from './read-frame.ts';
import type { WorkerCoding } from './transfer-syntax.ts';

export type { DicomFrame, DicomHead };

/** A DICOM file that was loaded. */
export interface DicomFile {
  readonly head: DicomHead;
  /** The pixels of one frame. Rejects with a DicomError, or where `wanted` was aborted before its turn came. */
  frame(index: number, wanted: AbortSignal): Promise<DicomFrame>;
}

/**
 * Loads a DICOM file and reads what it says of its pictures. `signal` ends its use. Rejects with a DicomError, or where it does
 * not load.
 */
export async function openDicom(address: string, signal: AbortSignal): Promise<DicomFile> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`the file was not given: ${answer.status}`);
  const head = readDicom(await inflateDicom(new Uint8Array(await answer.arrayBuffer())));
  const decoder = createFrameDecoder();
  signal.addEventListener('abort', () => decoder.close(), { once: true });
  const frame = (index: number, wanted: AbortSignal) =>
    readFrame(head, index, {
      jpeg: decodeInBrowser,
      other: async (each) => decoder.decode({ ...each, wasm: await wasmFor(each.coding) }, wanted),
    });
  return { head, frame };
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

const decodeInBrowser: Decoders['jpeg'] = async (bytes) => {
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }), { colorSpaceConversion: 'none' });
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new DicomError('too_large');
  context.drawImage(picture, 0, 0);
  picture.close();
  return { width, height, rgba: context.getImageData(0, 0, width, height).data };
};

let openJpeg: Promise<ArrayBuffer | null> | null = null;

/** The page loads it: the worker may load nothing but scripts. */
function wasmFor(coding: WorkerCoding): Promise<ArrayBuffer | null> {
  if (coding !== 'jpeg-2000') return Promise.resolve(null);
  openJpeg ??= fetch(openJpegUrl).then(
    (answer) => (answer.ok ? answer.arrayBuffer() : null),
    () => null,
  );
  return openJpeg;
}
