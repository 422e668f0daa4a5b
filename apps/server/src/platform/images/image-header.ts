/** The formats that are read and written; everything else is refused. */
export type ImageFormat = 'jpeg' | 'png' | 'webp';

export interface ImageHeader {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/**
 * What the first bytes of a picture say of it, read without decoding anything. Null when they are not those of a JPEG,
 * PNG or WebP: the name and the declared type of a file count for nothing.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  try {
    return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  } catch (error) {
    // It ends in the middle of its head.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): ImageHeader | null {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE) || tag(bytes, 12) !== 'IHDR') return null;
  return {
    format: 'png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    isAnimated: hasAnimationChunk(bytes),
  };
}

/** An animated PNG says so before its first picture data. */
function hasAnimationChunk(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = tag(bytes, at + 4);
    if (name === 'acTL') return true;
    if (name === 'IDAT' || name === 'IEND') return false;
  }
  return false;
}

const ANIMATION_FLAG = 0x02;

function readWebp(bytes: Buffer): ImageHeader | null {
  if (tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WEBP') return null;
  const still = { format: 'webp', isAnimated: false } as const;
  switch (tag(bytes, 12)) {
    case 'VP8 ':
      return { ...still, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { ...still, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return {
        format: 'webp',
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        isAnimated: (bytes.readUInt8(20) & ANIMATION_FLAG) !== 0,
      };
    default:
      return null;
  }
}

/** Walks from marker to marker until one says the size; each step moves on, so the walk ends with the bytes. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrame(marker)) {
      return {
        format: 'jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
        isAnimated: false,
      };
    } else {
      const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
      at += 2 + (isAlone ? 0 : Math.max(2, bytes.readUInt16BE(at + 2)));
    }
  }
  return null;
}

/** SOF0 to SOF15; 0xc4, 0xc8 and 0xcc among them are something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function tag(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
