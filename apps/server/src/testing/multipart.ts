export interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  /** Makes a file of it. */
  readonly filename?: string;
  readonly type?: string;
}

const BOUNDARY = 'wardline-test-boundary';

/** A body of multipart/form-data as a browser sends it, with its header. */
export function multipart(parts: readonly FormPart[]): { body: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: ${type ?? 'image/png'}`;
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
