import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type { Call } from './call.ts';
import type { AnyCallInput } from './call-input.ts';

/** A file that an endpoint answered with; the name is null where the server did not say one. */
export interface DownloadedFile {
  readonly blob: Blob;
  readonly fileName: string | null;
}

/** What `downloadFile` takes besides the parts of the call. */
export interface DownloadOptions {
  /** Told how many bytes have come, with each part of the file. */
  readonly onProgress?: (bytes: number) => void;
  readonly send?: typeof fetch;
}

const LONGEST_MS = 5 * 60_000;
const NAME = /filename="([^"\\/]{1,200})"/;

/**
 * Fetches the file of an endpoint with `isDownload`, with the credentials of every other call, in cookie mode and in token
 * mode alike; a link could not carry a token. Rejects with an ApiError, also where the file broke off on its way or its
 * signal was aborted.
 */
export async function downloadFile<E extends AnyEndpoint>(
  call: Call,
  endpoint: E,
  input: Pick<AnyCallInput, 'params' | 'query' | 'signal'>,
  { onProgress = () => undefined, send = fetch }: DownloadOptions = {},
): Promise<DownloadedFile> {
  let file: DownloadedFile | null = null;
  const keep: typeof fetch = async (url, init) => {
    const response = await send(url, init);
    if (!response.ok) return response;
    const fileName = NAME.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
    file = { blob: await readFile(response, onProgress), fileName };
    return new Response(null, { status: response.status });
  };
  // Which parts an endpoint takes is for its caller to know; here it is any endpoint.
  await (call as (endpoint: AnyEndpoint, input: AnyCallInput) => Promise<unknown>)(endpoint, {
    ...input,
    timeoutMs: LONGEST_MS,
    fetch: keep,
  });
  if (file === null) throw new Error('the call was answered without its fetch');
  return file;
}

async function readFile(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      bytes += part.byteLength;
      onProgress(bytes);
      controller.enqueue(part);
    },
  });
  const type = response.headers.get('Content-Type') ?? '';
  const blob = await new Response(response.body?.pipeThrough(count) ?? null).blob();
  return type === '' ? blob : blob.slice(0, blob.size, type);
}
