import { DicomError } from './dicom-error.ts';

/** How the pixels of a file are written. */
export type Coding = 'little-endian' | 'big-endian' | 'rle' | 'jpeg';

const DICOM = '1.2.840.10008.1.2';
const CODINGS: Readonly<Record<string, Coding>> = {
  [DICOM]: 'little-endian',
  [`${DICOM}.1`]: 'little-endian',
  [`${DICOM}.2`]: 'big-endian',
  [`${DICOM}.5`]: 'rle',
  [`${DICOM}.4.50`]: 'jpeg',
};
const OTHERS: readonly (readonly [prefix: string, name: string])[] = [
  [`${DICOM}.1.99`, 'deflate'],
  [`${DICOM}.4.51`, 'JPEG with 12 bits'],
  [`${DICOM}.4.57`, 'lossless JPEG'],
  [`${DICOM}.4.70`, 'lossless JPEG'],
  [`${DICOM}.4.8`, 'JPEG-LS'],
  [`${DICOM}.4.9`, 'JPEG 2000'],
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
