import { DicomError } from '../dicom-error.ts';
import type { PixelFormat } from '../read-dicom.ts';
import { codecSamples } from './codec-samples.ts';
import { checkHead, type Samples } from './decoded-picture.ts';
import { readJpeg2000Head } from './jpeg-2000-head.ts';

/** JPEG 2000 (ITU-T T.800), lossless or not. `wasm` is OpenJPEG; without it, or where a policy forbids it, the same in JavaScript. */
export async function decodeJpeg2000(
  bytes: Uint8Array,
  format: PixelFormat,
  wasm: ArrayBuffer | null,
): Promise<Samples> {
  const head = readJpeg2000Head(bytes);
  checkHead(head, format);
  const { J2KDecoder } = await openJpeg(wasm);
  const codec = new J2KDecoder();
  said.length = 0;
  try {
    const samples = codecSamples(codec, bytes, head);
    // It draws what it can of what does not fit, and says so.
    if (said.length > 0) throw new DicomError('damaged', { cause: said.join('\n') });
    return samples;
  } finally {
    codec.delete();
  }
}

/** What OpenJPEG had to say of a picture that was not what it should be. */
const said: string[] = [];
const hear = (line: string) => {
  if (/warn|error/i.test(line)) said.push(line);
};
/** Handed over as a copy: the module puts all that it is into it. */
const OPTIONS = { print: hear, printErr: hear };
/** Once with WebAssembly, or once without. */
const loaded = new Map<boolean, ReturnType<typeof load>>();

function openJpeg(wasm: ArrayBuffer | null) {
  const codec = loaded.get(wasm !== null) ?? load(wasm);
  loaded.set(wasm !== null, codec);
  return codec;
}

async function load(wasm: ArrayBuffer | null) {
  const module = wasm && (await WebAssembly.compile(wasm).catch(() => null));
  if (!module) return (await import('@cornerstonejs/codec-openjpeg/decode')).default({ ...OPTIONS });
  const { default: fromWasm } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
  return fromWasm({
    ...OPTIONS,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
}
