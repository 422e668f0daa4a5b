import { createHash } from 'node:crypto';

/** What went through, by which two copies of it are compared. */
export interface Measured {
  readonly bytes: number;
  /** Of the text of a table: each row ends with a line feed, and those inside of values are escaped. */
  readonly rows: number;
  readonly sha256: string;
}

const LINE_FEED = 10;

/** Passes bytes on and says afterwards what they were. */
export function measuring(source: AsyncIterable<Uint8Array>): {
  readonly bytes: AsyncIterable<Uint8Array>;
  measured(): Measured;
} {
  const hash = createHash('sha256');
  let [bytes, rows] = [0, 0];
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      hash.update(piece);
      bytes += piece.length;
      for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) rows += 1;
      yield piece;
    }
  }
  return { bytes: pass(), measured: () => ({ bytes, rows, sha256: hash.copy().digest('hex') }) };
}

/** One figure for any number of files, without a list of them. */
export function createFileSum() {
  const hash = createHash('sha256');
  let [count, bytes] = [0, 0];
  return {
    add(name: string, file: Pick<Measured, 'bytes' | 'sha256'>): void {
      hash.update(`${name} ${file.bytes} ${file.sha256}\n`);
      count += 1;
      bytes += file.bytes;
    },
    sum: () => ({ count, bytes, sha256: hash.copy().digest('hex') }),
  };
}
