// The three kinds of XML that S3 answers with and that are read here. Names that are stored hold letters, digits, `-`, `_`, `.` and `/`.

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Asks for the page after this one; null at the end. */
  readonly next: string | null;
}

/** A page of ListObjectsV2. */
export function readListing(xml: string): ListedPage {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
    const [key, bytes, modified] = [textOf(entry, 'Key'), textOf(entry, 'Size'), textOf(entry, 'LastModified')];
    if (key === null || bytes === null || modified === null) return [];
    return { key, bytes: Number(bytes), modifiedAtMs: Date.parse(modified) };
  });
  return { objects, next: textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : null };
}

/** Which upload of parts was begun; null where the answer names none. */
export function readUploadId(xml: string): string | null {
  return textOf(xml, 'UploadId');
}

/** The code of a failure, such as `NoSuchKey`; null where the answer is none: a finished upload of parts may fail with status 200. */
export function readErrorCode(xml: string): string | null {
  const [, inside] = /<Error>(.*?)<\/Error>/s.exec(xml) ?? [];
  return inside === undefined ? null : textOf(inside, 'Code');
}

/** Tells S3 which parts make the file, in their order. */
export function completeUpload(etags: readonly string[]): Buffer {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  return Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
}

function textOf(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text === undefined ? null : unescapeXml(text);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[String(name)] ?? all;
  });
}
