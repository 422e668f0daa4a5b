/// <reference lib="webworker" />
import { DicomError, type DicomProblem } from '../dicom-error.ts';
import { type CompressedFrame, decodeFrame } from './decode-frame.ts';

/** What comes of one frame; `problem` is null where it is not the file's, as of a decoder that did not load. */
export type DecodeReply = { readonly pixels: Uint8Array<ArrayBuffer> } | { readonly problem: DicomProblem | null };

declare const self: DedicatedWorkerGlobalScope;

// One frame at a time, as frame-decoder.ts gives them.
self.onmessage = ({ data }: MessageEvent<CompressedFrame>) => {
  decodeFrame(data).then(
    (pixels) => self.postMessage({ pixels } satisfies DecodeReply, [pixels.buffer]),
    (error: unknown) =>
      self.postMessage({ problem: error instanceof DicomError ? error.why : null } satisfies DecodeReply),
  );
};
