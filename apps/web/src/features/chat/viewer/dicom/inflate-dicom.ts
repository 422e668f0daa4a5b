import { readPart10Header } from 'dicom-parser';
import { DicomError } from './dicom-error.ts';
import { DEFLATED } from './transfer-syntax.ts';

/** What unpacks to more would fill the memory of a phone. */
const INFLATED_MAX = 256 * 1024 * 1024;

/** A file that is deflated behind its first elements, unpacked; any other one as it is. Rejects with a DicomError. */
export async function inflateDicom(
  bytes: Uint8Array<ArrayBuffer>,
  most = INFLATED_MAX,
): Promise<Uint8Array<ArrayBuffer>> {
  const start = startOfDeflated(bytes);
  if (start === null) return bytes;
  const inflated = await inflate(bytes.subarray(start), most)
    .catch((error: unknown) => {
      // A byte of zero makes the length even, and is one too many for whoever unpacks it.
      if (error instanceof DicomError || bytes.at(-1) !== 0) throw error;
      return inflate(bytes.subarray(start, -1), most);
    })
    .catch((error: unknown) => {
      throw error instanceof DicomError ? error : new DicomError('damaged', { cause: error });
    });
  return joined([bytes.subarray(0, start), ...inflated]);
}

function startOfDeflated(bytes: Uint8Array): number | null {
  try {
    const head = readPart10Header(bytes) as ReturnType<typeof readPart10Header> & { readonly position: number };
    return head.string('x00020010') === DEFLATED ? head.position : null;
  } catch {
    // No DICOM file at all: whoever reads it will say so.
    return null;
  }
}

async function inflate(deflated: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array[]> {
  const reader = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new DicomError('too_large');
    }
    parts.push(next.value);
  }
  return parts;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
