import { type DataSet, parseDicom } from 'dicom-parser';
import type { PictureGeometry } from '#/features/chat/viewer/viewed-picture.ts';
import { DicomError } from './dicom-error.ts';
import { type Coding, codingOf, isLossy, isWorkerCoding } from './transfer-syntax.ts';

/** Between which values black and white are, and how grey lies between them. */
export interface GreyWindow {
  readonly center: number;
  readonly width: number;
  readonly shape: 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';
}

/** How the bytes of one frame are to be read. */
export interface PixelFormat {
  readonly rows: number;
  readonly columns: number;
  /** 1 is grey, 3 colours. */
  readonly samples: number;
  readonly bits: 8 | 16;
  readonly storedBits: number;
  /** How far the stored bits lie above the lowest one. */
  readonly shift: number;
  readonly isSigned: boolean;
  /** One plane after the other, instead of colours side by side. */
  readonly isPlanar: boolean;
  readonly photometric: string;
  readonly isBigEndian: boolean;
  /** What is near to a value may lie beyond what the stored bits can hold. */
  readonly isLossy: boolean;
}

export interface DicomHead {
  readonly geometry: PictureGeometry;
  readonly format: PixelFormat;
  readonly coding: Coding;
  /** The value of a stored number is number × slope + intercept. */
  readonly slope: number;
  readonly intercept: number;
  /** As the file asks for it; null where it does not. */
  readonly window: GreyWindow | null;
  /** The smallest value is white. */
  readonly isInverted: boolean;
  /** A stored number that is no measurement. */
  readonly padding: number | null;
  readonly dataSet: DataSet;
}

/** More pixels in one frame would fill the memory of a phone. */
const PIXELS_MAX = 40_000_000;
const GREY = ['MONOCHROME1', 'MONOCHROME2'];
const COLOURS = ['RGB', 'YBR_FULL'];
/** What JPEG 2000 makes of colours, and takes back itself. */
const COLOURS_2000 = ['YBR_RCT', 'YBR_ICT'];
const SHARED = 'x52009229';
const EACH = 'x52009230';
const GROUPS = { measures: 'x00289110', transformation: 'x00289145', window: 'x00289132' } as const;

/**
 * What a DICOM file says of its pictures; it is no longer deflated. Of its patient nothing is read. Throws a DicomError in words for
 * people.
 */
export function readDicom(bytes: Uint8Array): DicomHead {
  try {
    return headOf(parseDicom(bytes, { inflater: (inflated) => inflated }));
  } catch (error) {
    if (error instanceof DicomError) throw error;
    // What the library throws is a text or an object of its own.
    throw new DicomError('damaged', { cause: error });
  }
}

function headOf(dataSet: DataSet): DicomHead {
  const coding = codingOf(dataSet.string('x00020010') ?? '');
  const format = formatOf(dataSet, coding);
  const frames = Math.max(1, dataSet.intString('x00280008') ?? 1);
  const of = (tag: string, group: keyof typeof GROUPS) => holderOf(dataSet, tag, GROUPS[group]);
  const window = windowOf(of('x00281050', 'window'));
  const rescale = of('x00281053', 'transformation');
  return {
    geometry: {
      ...{ width: format.columns, height: format.rows, frames },
      spacing: spacingOf(of('x00280030', 'measures')),
    },
    ...{ format, coding, window, dataSet },
    slope: numberOf(rescale, 'x00281053', 0) || 1,
    intercept: numberOf(rescale, 'x00281052', 0) ?? 0,
    isInverted: format.photometric === 'MONOCHROME1',
    padding: (format.isSigned ? dataSet.int16('x00280120') : dataSet.uint16('x00280120')) ?? null,
  };
}

function formatOf(dataSet: DataSet, coding: Coding): PixelFormat {
  const [rows = 0, columns = 0] = [dataSet.uint16('x00280010'), dataSet.uint16('x00280011')];
  const samples = dataSet.uint16('x00280002') ?? 1;
  const bits = dataSet.uint16('x00280100') ?? 0;
  const storedBits = dataSet.uint16('x00280101') ?? bits;
  const photometric = dataSet.string('x00280004') ?? '';
  if (rows === 0 || columns === 0 || !dataSet.elements['x7fe00010']) throw new DicomError('no_picture');
  if (rows * columns > PIXELS_MAX) throw new DicomError('too_large');
  const isDrawn = bits === 8 || (bits === 16 && samples === 1);
  if (!isDrawn || !isKnownKind({ samples, photometric, coding })) throw new DicomError('unknown_pixels');
  if (coding === 'jpeg' && bits !== 8) throw new DicomError('unknown_pixels');
  return {
    ...{ rows, columns, samples, bits, storedBits, photometric, shift: shiftOf(dataSet, { bits, storedBits }) },
    isSigned: dataSet.uint16('x00280103') === 1,
    isPlanar: samples > 1 && !isWorkerCoding(coding) && dataSet.uint16('x00280006') === 1,
    isBigEndian: coding === 'big-endian',
    isLossy: isLossy(dataSet.string('x00020010') ?? ''),
  };
}

interface Kind {
  readonly samples: number;
  readonly photometric: string;
  readonly coding: Coding;
}

function isKnownKind({ samples, photometric, coding }: Kind): boolean {
  if (samples === 1) return GREY.includes(photometric);
  const isTakenBack = coding === 'jpeg-2000' && COLOURS_2000.includes(photometric);
  // A JPEG brings its own kind of colour, and whoever decodes it makes red, green and blue of it.
  return samples === 3 && (coding === 'jpeg' || isTakenBack || COLOURS.includes(photometric));
}

function shiftOf(dataSet: DataSet, { bits, storedBits }: Pick<PixelFormat, 'bits' | 'storedBits'>): number {
  const highBit = dataSet.uint16('x00280102') ?? storedBits - 1;
  const isPossible = storedBits >= 1 && storedBits <= bits && highBit < bits && highBit >= storedBits - 1;
  if (!isPossible) throw new DicomError('damaged');
  return highBit - storedBits + 1;
}

/** Where a value stands: at the top, or as enhanced files have it, in what all frames share, or with the first of them. */
function holderOf(dataSet: DataSet, tag: string, group: string): DataSet | null {
  if (dataSet.elements[tag]) return dataSet;
  for (const sequence of [SHARED, EACH]) {
    const found = dataSet.elements[sequence]?.items?.[0]?.dataSet?.elements[group]?.items?.[0]?.dataSet;
    if (found?.elements[tag]) return found;
  }
  return null;
}

/** Down comes first in the file. Only what holds in the patient: at the detector everything is larger. */
function spacingOf(holder: DataSet | null): PictureGeometry['spacing'] {
  const [y, x] = [numberOf(holder, 'x00280030', 0), numberOf(holder, 'x00280030', 1)];
  return x !== undefined && y !== undefined && x > 0 && y > 0 ? { x, y } : null;
}

function windowOf(holder: DataSet | null): GreyWindow | null {
  const center = numberOf(holder, 'x00281050', 0);
  const width = numberOf(holder, 'x00281051', 0);
  if (center === undefined || width === undefined || width <= 0) return null;
  const said = holder?.string('x00281056');
  return { center, width, shape: said === 'SIGMOID' || said === 'LINEAR_EXACT' ? said : 'LINEAR' };
}

/** One of the numbers that stand there as text, with a backslash between them. */
function numberOf(holder: DataSet | null, tag: string, place: number): number | undefined {
  const value = Number.parseFloat(holder?.string(tag)?.split('\\')[place] ?? '');
  return Number.isFinite(value) ? value : undefined;
}
