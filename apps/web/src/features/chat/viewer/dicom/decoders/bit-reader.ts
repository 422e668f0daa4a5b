import { DicomError } from '../dicom-error.ts';

/** Reads the bits of a JPEG scan, without the zeros that are stuffed into it. Throws a DicomError where more are taken than there are. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #bits = 0;
  #count = 0;
  /** So many of the bits ahead are not in the file: zeros, to look ahead with. */
  #made = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next 16 bits, which stay ahead. */
  peek(): number {
    while (this.#count < 16) this.#fill();
    return (this.#bits >>> (this.#count - 16)) & 0xffff;
  }

  skip(count: number): void {
    this.#count -= count;
    if (this.#count < this.#made) throw new DicomError('damaged');
  }

  /** The next bits, 16 at most, as a number. */
  take(count: number): number {
    const bits = this.peek() >>> (16 - count);
    this.skip(count);
    return bits;
  }

  /** Goes on behind the restart mark with that number, which must be next. */
  restart(number: number): void {
    const isThere = this.#bytes[this.#at] === 0xff && this.#bytes[this.#at + 1] === 0xd0 + number;
    if (!isThere || this.#count - this.#made >= 8) throw new DicomError('damaged');
    this.#at += 2;
    [this.#bits, this.#count, this.#made] = [0, 0, 0];
  }

  #fill(): void {
    const byte = this.#bytes[this.#at];
    const isMark = byte === 0xff && this.#bytes[this.#at + 1] !== 0;
    if (byte === undefined || isMark) {
      this.#bits <<= 8;
      this.#made += 8;
    } else {
      this.#bits = (this.#bits << 8) | byte;
      this.#at += byte === 0xff ? 2 : 1;
    }
    this.#count += 8;
  }
}
