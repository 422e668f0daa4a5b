import { ownScriptUrl } from '@wardline/client/browser/own-script-url.ts';
import type { CompressedFrame } from './decoders/decode-frame.ts';
import type { DecodeReply } from './decoders/decode-worker.ts';
import workerUrl from './decoders/decode-worker.ts?worker&url';
import { DicomError } from './dicom-error.ts';

/** Decodes the compressed frames of one file, one after the other, in a worker: the page goes on meanwhile. */
export interface FrameDecoder {
  /** Rejects with a DicomError; with the reason of the signal where nobody waits for the frame any more when its turn comes. */
  decode(frame: CompressedFrame, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** What is needed of a worker. */
export type DecodeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** A damaged file may keep a decoder for ever; the largest whole one takes half of this on a slow telephone. */
const LIMIT_MS = 60_000;

function startWorker(): DecodeWorker {
  // Of sources no policy knows the address: their server has none.
  const url = import.meta.env.DEV ? workerUrl : ownScriptUrl(workerUrl);
  return new Worker(url, { type: 'module', name: 'dicom' });
}

/** The worker starts with the first frame, and anew after one that took too long. */
export function createFrameDecoder(start: () => DecodeWorker = startWorker): FrameDecoder {
  let worker: DecodeWorker | null = null;
  let before: Promise<unknown> = Promise.resolve();
  const close = () => {
    worker?.terminate();
    worker = null;
  };
  const run = async (frame: CompressedFrame) => {
    worker ??= start();
    try {
      return await pixelsOf(worker, frame);
    } catch (error) {
      // What a damaged file left behind in it is for no other one.
      close();
      throw error;
    }
  };
  const decode: FrameDecoder['decode'] = (frame, signal) => {
    const pixels = before.then(() => {
      signal.throwIfAborted();
      return run(frame);
    });
    before = pixels.catch(() => {});
    return pixels;
  };
  return { decode, close };
}

function pixelsOf(worker: DecodeWorker, frame: CompressedFrame): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const limit = setTimeout(() => reject(new DicomError('too_slow')), LIMIT_MS);
    const fail = (error: Error) => {
      clearTimeout(limit);
      reject(error);
    };
    worker.onmessage = ({ data }: MessageEvent<DecodeReply>) => {
      if ('problem' in data) return fail(data.problem ? new DicomError(data.problem) : new Error('no decoder'));
      clearTimeout(limit);
      resolve(data.pixels);
    };
    worker.onerror = () => fail(new Error('no decoder'));
    worker.postMessage(frame, [frame.bytes.buffer]);
  });
}
