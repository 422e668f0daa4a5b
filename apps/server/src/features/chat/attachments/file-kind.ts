import type { AttachmentKind } from '@wardline/contract/chat/attachments.ts';
import { readImageHeader } from '#/platform/images/image-header.ts';

export interface FileKind {
  readonly kind: AttachmentKind;
  readonly mime: string;
  /** How the names of such files end, the usual one first. */
  readonly endings: readonly string[];
}

const IMAGES = {
  jpeg: { kind: 'image', mime: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { kind: 'image', mime: 'image/png', endings: ['png'] },
  webp: { kind: 'image', mime: 'image/webp', endings: ['webp'] },
} as const;

const PDF: FileKind = { kind: 'pdf', mime: 'application/pdf', endings: ['pdf'] };
const DICOM: FileKind = { kind: 'dicom', mime: 'application/dicom', endings: ['dcm', 'dicom'] };
const WAVE: FileKind = { kind: 'audio', mime: 'audio/wav', endings: ['wav'] };
const MP3: FileKind = { kind: 'audio', mime: 'audio/mpeg', endings: ['mp3'] };
const OGG: FileKind = { kind: 'audio', mime: 'audio/ogg', endings: ['ogg', 'oga', 'opus'] };
const FLAC: FileKind = { kind: 'audio', mime: 'audio/flac', endings: ['flac'] };
const M4A: FileKind = { kind: 'audio', mime: 'audio/mp4', endings: ['m4a', 'mp4'] };
const MP4: FileKind = { kind: 'video', mime: 'video/mp4', endings: ['mp4', 'm4v'] };
const QUICKTIME: FileKind = { kind: 'video', mime: 'video/quicktime', endings: ['mov', 'qt'] };
const WEBM_SOUND: FileKind = { kind: 'audio', mime: 'audio/webm', endings: ['weba', 'webm'] };
const WEBM: FileKind = { kind: 'video', mime: 'video/webm', endings: ['webm'] };

/** How programs and pages begin. The first 128 bytes of a DICOM file may be anything, so that a file can be both (CVE-2019-11687). */
const PROGRAMS = ['MZ', '\u007fELF', '\u00cf\u00fa\u00ed\u00fe', '\u00ca\u00fe\u00ba\u00be', '#!', '<', 'PK'];

/** So far the beginning of a file is looked at for its tracks. */
const HEAD_BYTES = 16 * 1024;

const office = (mime: string, ending: string): FileKind => ({ kind: 'office', mime, endings: [ending] });
const OOXML = 'application/vnd.openxmlformats-officedocument.';
/** By the folder that holds the document inside the archive. */
const OOXML_FOLDERS = {
  'word/document.xml': office(`${OOXML}wordprocessingml.document`, 'docx'),
  'xl/workbook.xml': office(`${OOXML}spreadsheetml.sheet`, 'xlsx'),
  'ppt/presentation.xml': office(`${OOXML}presentationml.presentation`, 'pptx'),
} as const;
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const OPEN_DOCUMENTS = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const;

/** What a file is by its bytes; null for what is none of the kinds that can be sent. Its name is never asked. */
export function readFileKind(bytes: Buffer): FileKind | null {
  const image = readImageHeader(bytes);
  if (image !== null) return IMAGES[image.format];
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (starts('%PDF-')) return PDF;
  if (starts('DICM', 128)) return PROGRAMS.some((begin) => starts(begin)) ? null : DICOM;
  if (starts('RIFF') && starts('WAVE', 8)) return WAVE;
  if (starts('OggS')) return OGG;
  if (starts('fLaC')) return FLAC;
  if (starts('ID3') || isMp3Frame(bytes)) return MP3;
  if (starts('ftyp', 4)) return ofBrand(bytes.toString('latin1', 8, 12), bytes);
  if (starts('\u001a\u0045\u00df\u00a3') && bytes.subarray(0, 64).includes('webm')) return ofWebm(bytes);
  return starts('PK\u0003\u0004') ? ofArchive(bytes) : null;
}

/** A name that ends as files of this kind do: what opens it is decided by its bytes, not by who sent it. */
export function nameFor({ endings: [usual = 'bin', ...others] }: FileKind, name: string): string {
  const [, stem = '', ending = ''] = /^(.+)\.([^.]{1,10})$/su.exec(name) ?? [];
  if ([usual, ...others].includes(ending.toLowerCase())) return name;
  const isPicture = ['jpg', 'jpeg', 'png', 'webp'].includes(ending.toLowerCase());
  const kept = isPicture ? stem : name;
  return `${[...kept].slice(0, 200 - usual.length - 1).join('')}.${usual}`;
}

/** Two frames in a row: one alone may be chance. */
function isMp3Frame(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt8(0) !== 0xff) return false;
  const length = mp3FrameLength(bytes.readUInt32BE(0));
  return length !== null && bytes.length > length + 1 && bytes.readUInt16BE(length) >>> 5 === 0x7ff;
}

const KBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const HERTZ = [44_100, 48_000, 32_000];

/** Of MPEG 1, layer 3, as recorders write it. */
function mp3FrameLength(head: number): number | null {
  const isLayer3 = head >>> 17 === 0x7ffd;
  const [kbit, hertz] = [KBITS[(head >>> 12) & 15] ?? 0, HERTZ[(head >>> 10) & 3]];
  if (!isLayer3 || kbit === 0 || hertz === undefined) return null;
  return Math.floor((144_000 * kbit) / hertz) + ((head >>> 9) & 1);
}

/** As browsers record: its tracks stand at the beginning, each with the name of its codec. */
function ofWebm(bytes: Buffer): FileKind {
  const head = bytes.subarray(0, HEAD_BYTES);
  return head.includes('A_OPUS') && !head.includes('V_') ? WEBM_SOUND : WEBM;
}

function ofBrand(brand: string, bytes: Buffer): FileKind | null {
  if (brand.startsWith('M4A')) return M4A;
  const head = bytes.subarray(0, HEAD_BYTES);
  // One in fragments, as browsers record it, says of all its tracks at the beginning what they are.
  if (head.includes('mvex') && head.includes('soun') && !head.includes('vide')) return M4A;
  if (brand === 'qt  ') return QUICKTIME;
  return /^(isom|iso\d|mp4\d|avc1|M4V |3gp\d|dash|MSNV)$/.test(brand) ? MP4 : null;
}

/** Office documents without programs in them; any other archive could hold anything. */
function ofArchive(bytes: Buffer): FileKind | null {
  const openDocument = /^mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)(?=PK|[^a-z-])/;
  const [, of] = openDocument.exec(bytes.toString('latin1', 30, 120)) ?? [];
  if (of === 'text' || of === 'spreadsheet' || of === 'presentation') {
    return bytes.includes('Basic/') ? null : office(`${OPEN_DOCUMENT}${of}`, OPEN_DOCUMENTS[of]);
  }
  if (!bytes.includes('[Content_Types].xml') || bytes.includes('vbaProject')) return null;
  return Object.entries(OOXML_FOLDERS).find(([name]) => bytes.includes(name))?.[1] ?? null;
}
