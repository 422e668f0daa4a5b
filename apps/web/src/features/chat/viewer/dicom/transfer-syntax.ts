import { DicomError } from './dicom-error.ts';

/** What our own worker decodes. */
export const WORKER_CODINGS = ['jpeg-lossless', 'jpeg-ls', 'jpeg-2000'] as const;
export type WorkerCoding = (typeof WORKER_CODINGS)[number];

/** How the pixels of a file are written. */
export type Coding = 'little-endian' | 'big-endian' | 'rle' | 'jpeg' | WorkerCoding;

const DICOM = '1.2.840.10008.1.2';
/** All that follows the file's first elements is deflated, and little-endian within. */
export const DEFLATED = `${DICOM}.1.99`;
const CODINGS: Readonly<Record<string, Coding>> = {
  [DICOM]: 'little-endian',
  [`${DICOM}.1`]: 'little-endian',
  [DEFLATED]: 'little-endian',
  [`${DICOM}.2`]: 'big-endian',
  [`${DICOM}.5`]: 'rle',
  [`${DICOM}.4.50`]: 'jpeg',
  [`${DICOM}.4.57`]: 'jpeg-lossless',
  [`${DICOM}.4.70`]: 'jpeg-lossless',
  [`${DICOM}.4.80`]: 'jpeg-ls',
  [`${DICOM}.4.81`]: 'jpeg-ls',
  [`${DICOM}.4.90`]: 'jpeg-2000',
  [`${DICOM}.4.91`]: 'jpeg-2000',
};
const OTHERS: readonly (readonly [prefix: string, name: string])[] = [
  [`${DICOM}.4.51`, 'JPEG with 12 bits'],
  [`${DICOM}.4.9`, 'JPEG 2000 across images'],
  [`${DICOM}.4.10`, 'video'],
  [`${DICOM}.4.20`, 'high-throughput JPEG 2000'],
];

/** Throws a DicomError that names the compression where it is none that is shown here. */
export function codingOf(transferSyntax: string): Coding {
  const coding = CODINGS[transferSyntax];
  if (coding) return coding;
  const name = OTHERS.find(([prefix]) => transferSyntax.startsWith(prefix))?.[1];
  throw new DicomError({ compressed: name ?? `“${transferSyntax.slice(0, 64)}”` });
}

/** Values are only near to what was measured. */
export function isLossy(transferSyntax: string): boolean {
  return [`${DICOM}.4.81`, `${DICOM}.4.91`].includes(transferSyntax);
}

export function isWorkerCoding(coding: Coding): coding is WorkerCoding {
  return (WORKER_CODINGS as readonly Coding[]).includes(coding);
}
