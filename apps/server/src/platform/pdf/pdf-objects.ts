import { deflateSync } from 'node:zlib';

/** So many small objects share one compressed stream; their place in it must fit into a byte. */
const OBJECTS_PER_STREAM = 200;

/** What closes a file: the numbers of its first object and of its information, and its id in hexadecimal. */
interface Trailer {
  readonly root: number;
  readonly info: number;
  readonly id: string;
}

/**
 * The objects of a PDF (ISO 32000-1, 7.5), written as they come: of one that is written only its place is kept, in 8 bytes. An object may be
 * named before it is written, so whatever is known late (fonts, counts of pages) is written late.
 */
export class PdfObjects {
  /** By number: where an object stands in the file; below 0 the stream that has it and its place there. */
  #places = new Float64Array(1024);
  #last = 0;
  #length = 0;
  #written: Buffer[] = [];
  #gathered: { readonly id: number; readonly text: string }[] = [];

  constructor() {
    // The second line marks the file as binary for whatever carries it.
    this.#write(Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'));
  }

  /** A number for an object that is written later, once. */
  reserve(): number {
    this.#last += 1;
    if (this.#last >= this.#places.length) {
      const larger = new Float64Array(this.#places.length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    return this.#last;
  }

  /** An object without a stream, in ASCII; it is packed with others. */
  put(text: string, id = this.reserve()): number {
    this.#gathered.push({ id, text });
    if (this.#gathered.length === OBJECTS_PER_STREAM) this.#flush();
    return id;
  }

  /** A stream and what its dictionary says beside its length. XMP stays readable for whoever does not know PDF: `isPacked` false. */
  putStream(entries: string, bytes: Buffer, { id = this.reserve(), isPacked = true } = {}): number {
    const content = isPacked ? deflateSync(bytes) : bytes;
    const filter = isPacked ? ' /Filter /FlateDecode' : '';
    this.#places[id] = this.#length;
    this.#write(Buffer.from(`${id} 0 obj\n<<${entries}${filter} /Length ${content.length}>>\nstream\n`));
    this.#write(content);
    this.#write(Buffer.from('\nendstream\nendobj\n'));
    return id;
  }

  /** What was written since it was last taken. */
  take(): Buffer {
    const bytes = Buffer.concat(this.#written);
    this.#written = [];
    return bytes;
  }

  /** Writes where everything is; nothing may come after it. */
  end({ root, info, id }: Trailer): void {
    this.#flush();
    const table = this.reserve();
    this.#places[table] = this.#length;
    const rows = Buffer.alloc((table + 1) * ROW_BYTES);
    for (let number = 1; number <= table; number++) this.#writeRow(rows, number);
    const start = this.#length;
    const entries = `/Type /XRef /Size ${table + 1} /W [1 6 1] /Root ${root} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>]`;
    this.putStream(entries, rows, { id: table });
    this.#write(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  }

  #writeRow(rows: Buffer, number: number): void {
    const place = this.#places[number] ?? 0;
    if (place === 0) throw new Error(`object ${number} of a PDF was named and not written`);
    const at = number * ROW_BYTES;
    const isPacked = place < 0;
    rows[at] = isPacked ? 2 : 1;
    rows.writeUIntBE(isPacked ? Math.floor(-place / 256) : place, at + 1, 6);
    rows[at + 7] = isPacked ? -place % 256 : 0;
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const stream = this.reserve();
    let head = '';
    let body = '';
    for (const [index, { id, text }] of this.#gathered.entries()) {
      head += `${id} ${body.length} `;
      body += `${text}\n`;
      this.#places[id] = -(stream * 256 + index);
    }
    const entries = `/Type /ObjStm /N ${this.#gathered.length} /First ${head.length}`;
    this.#gathered = [];
    this.putStream(entries, Buffer.from(head + body, 'latin1'), { id: stream });
  }

  #write(bytes: Buffer): void {
    this.#written.push(bytes);
    this.#length += bytes.length;
  }
}

const ROW_BYTES = 8;

/** A text outside of pages, as PDF writes it: UTF-16 with its mark, in hexadecimal. */
export function pdfText(text: string): string {
  return `<FEFF${utf16Hex(text)}>`;
}

/** UTF-16, the high byte first, in hexadecimal. */
export function utf16Hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
}

/** A length or coordinate with at most two places behind the point. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}
