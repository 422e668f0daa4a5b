import type { LightMyRequestResponse } from 'fastify';
import type { TestClient } from '#/testing/test-client.ts';

export const TUS = { 'tus-resumable': '1.0.0' };

/** What is taken for a PDF. */
export function pdf(text: string): Buffer {
  return Buffer.from(`%PDF-1.7\n${text}`);
}

interface TestFile {
  readonly bytes: Buffer | number;
  readonly name?: string | undefined;
}

/** Announces a file, or as many bytes. */
export function send(client: TestClient, chatId: string, { bytes, name = 'file.pdf' }: TestFile) {
  const length = typeof bytes === 'number' ? bytes : bytes.length;
  const metadata = `filename ${Buffer.from(name).toString('base64')}`;
  return client.send('POST', `/api/chats/${chatId}/uploads`, {
    headers: { ...TUS, 'upload-length': String(length), 'upload-metadata': metadata },
  });
}

/** The id of an upload that was begun. */
export async function begin(client: TestClient, chatId: string, file: TestFile): Promise<string> {
  const answer = await send(client, chatId, file);
  if (answer.statusCode !== 201) throw new Error(`no upload was begun: ${answer.payload}`);
  return answer.json().id;
}

export function append(client: TestClient, id: string, bytes: Buffer, offset: number): Promise<LightMyRequestResponse> {
  return client.send('PATCH', `/api/uploads/${id}`, {
    body: bytes,
    headers: { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
  });
}

/** The id of a file that is ready to be sent. */
export async function upload(
  client: TestClient,
  chatId: string,
  file: TestFile & { readonly bytes: Buffer },
): Promise<string> {
  const id = await begin(client, chatId, file);
  const answer = await append(client, id, file.bytes, 0);
  if (answer.statusCode !== 204) throw new Error(`the file was refused: ${answer.payload}`);
  return id;
}
