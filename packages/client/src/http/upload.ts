/** Told how much of a body has gone out: 0 to 1. */
export type OnProgress = (fraction: number) => void;

/**
 * A `fetch` that tells the progress of what it sends, for a call's `fetch` option; `fetch` itself cannot. It goes
 * through XMLHttpRequest, which follows redirects by itself: such an answer says `redirected`, as fetch's does.
 * Rejects with TypeError where there is no network, and with the signal's reason when cancelled.
 */
export function createUploadFetch(onProgress: OnProgress, Request: typeof XMLHttpRequest = XMLHttpRequest) {
  const upload = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request();
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    await send(request, url, init);
    return toResponse(request, url);
  };
  return ((url, init = {}) => upload(String(url), init)) satisfies typeof fetch;
}

function send(request: XMLHttpRequest, url: string, init: RequestInit): Promise<void> {
  const signal = init.signal ?? null;
  const abort = (): void => request.abort();
  return new Promise<void>((resolve, reject) => {
    request.addEventListener('load', () => resolve());
    request.addEventListener('error', () => reject(new TypeError('The network failed.')));
    request.addEventListener('abort', () => reject(signal?.reason ?? new TypeError('The upload was aborted.')));
    request.open(init.method ?? 'GET', url);
    request.responseType = 'blob';
    request.withCredentials = init.credentials === 'include';
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort);
    request.send((init.body ?? null) as XMLHttpRequestBodyInit | null);
  }).finally(() => signal?.removeEventListener('abort', abort));
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(request: XMLHttpRequest, asked: string): Response {
  const { status, statusText, responseURL } = request;
  const body = WITHOUT_BODY.has(status) ? null : (request.response as Blob | null);
  const response = new Response(body, { status, statusText, headers: readHeaders(request.getAllResponseHeaders()) });
  const wasRedirected = responseURL !== '' && responseURL !== new URL(asked, responseURL).href;
  return Object.defineProperties(response, { url: { value: responseURL }, redirected: { value: wasRedirected } });
}

function readHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
