import { parseSetCookie } from 'cookie';

/** What a page may send without asking, and read without being told that it may (Fetch standard). */
const SENT_FREELY = new Set(['accept', 'accept-language', 'content-language']);
const READ_FREELY = new Set(['cache-control', 'content-language', 'content-length', 'content-type', 'expires']);
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

interface Page {
  readonly fetch: typeof fetch;
  /** As `document.cookie` has them for this host. */
  readonly cookies: Map<string, string>;
}

/**
 * A browser's fetch for a page of this origin, done by hand since Node does no CORS: asks by preflight for what is not free to
 * send, fails where it is not granted, and hides the headers of an answer that the page may not read.
 */
export function openPage(origin: string): Page {
  const cookies = new Map<string, string>();

  async function preflight({ url, method, headers, credentials }: Request): Promise<void> {
    const asked = [...headers.keys()].filter((name) => !isFree(name, headers.get(name) ?? '')).sort();
    if (['GET', 'HEAD', 'POST'].includes(method) && asked.length === 0) return;
    const answer = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        ...{ origin, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site', 'access-control-request-method': method },
        ...(asked.length > 0 && { 'access-control-request-headers': asked.join(',') }),
      },
    });
    const granted = (name: string) => listOf(answer.headers.get(`access-control-allow-${name}`));
    checkOrigin(answer, credentials);
    if (!['GET', 'HEAD', 'POST'].includes(method) && !granted('methods').includes(method.toLowerCase())) refuse(method);
    for (const name of asked) if (!granted('headers').includes(name)) refuse(name);
  }

  function checkOrigin({ headers }: Response, credentials: Request['credentials']): void {
    if (headers.get('access-control-allow-origin') !== origin) refuse('the origin');
    const mayShareCookies = headers.get('access-control-allow-credentials') === 'true';
    if (credentials === 'include' && !mayShareCookies) refuse('credentials');
  }

  return {
    cookies,
    async fetch(input, init) {
      const request = new Request(input, init);
      // What clients add to it in Node alone; a browser sends its own.
      request.headers.delete('user-agent');
      await preflight(request);
      const headers = new Headers(request.headers);
      headers.set('origin', origin);
      headers.set('sec-fetch-site', 'same-site');
      const sendsCookies = request.credentials === 'include' && cookies.size > 0;
      if (sendsCookies) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const body = request.body === null ? {} : { body: await request.arrayBuffer() };
      const answer = await fetch(request.url, { method: request.method, headers, ...body, redirect: request.redirect });
      checkOrigin(answer, request.credentials);
      for (const line of answer.headers.getSetCookie()) {
        const { name, value } = parseSetCookie(line) ?? {};
        if (request.credentials === 'include' && name !== undefined && value !== undefined) cookies.set(name, value);
      }
      return readable(answer);
    },
  };
}

function isFree(name: string, value: string): boolean {
  return SENT_FREELY.has(name) || (name === 'content-type' && FORM_TYPES.test(value));
}

async function readable(answer: Response): Promise<Response> {
  const exposed = listOf(answer.headers.get('access-control-expose-headers'));
  const shown = [...answer.headers].filter(([name]) => READ_FREELY.has(name) || exposed.includes(name));
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : await answer.arrayBuffer(), { status: answer.status, headers: shown });
}

function listOf(header: string | null): string[] {
  return (header ?? '').split(',').map((name) => name.trim().toLowerCase());
}

function refuse(what: string): never {
  throw new TypeError(`Failed to fetch: CORS does not grant ${what}`);
}
