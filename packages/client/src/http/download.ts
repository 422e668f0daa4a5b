import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type { Call } from './call.ts';
import type { AnyCallInput } from './call-input.ts';

/** A file that an endpoint answered with; the name is null where the server did not say one. */
export interface DownloadedFile {
  readonly blob: Blob;
  readonly fileName: string | null;
}

const LONGEST_MS = 5 * 60_000;
const NAME = /filename="([^"\\/]{1,200})"/;

/**
 * Fetches the file of an endpoint with `isDownload`, with the credentials of every other call, in cookie mode and in token
 * mode alike; a link could not carry a token. Rejects with an ApiError, also where the file broke off on its way.
 */
export async function downloadFile<E extends AnyEndpoint>(
  call: Call,
  endpoint: E,
  input: Pick<AnyCallInput, 'params' | 'query' | 'signal'>,
  send: typeof fetch = fetch,
): Promise<DownloadedFile> {
  let file: DownloadedFile | null = null;
  const keep: typeof fetch = async (url, init) => {
    const response = await send(url, init);
    if (!response.ok) return response;
    const fileName = NAME.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
    file = { blob: await response.blob(), fileName };
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
