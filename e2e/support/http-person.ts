import { DEMO_PASSWORD } from './servers/wardline-process.ts';

/** Somebody who talks to the server over plain HTTP with the cookies of a browser. */
export interface HttpPerson {
  readonly userId: string;
  get<Reply>(path: string): Promise<Reply>;
  /** Any answer, or null where none came. */
  send(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown } | null>;
}

export async function signInOverHttp(baseUrl: string, email: string): Promise<HttpPerson> {
  const cookies = new Map<string, string>();

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  }

  await ask('GET', '/sanctum/csrf-cookie');
  const signedIn = await ask('POST', '/login', { email, password: DEMO_PASSWORD });
  if (signedIn.status !== 200) throw new Error(`${email} could not sign in: ${signedIn.status}`);
  const user = (await (await ask('GET', '/api/user')).json()) as { id: string };

  return {
    userId: user.id,
    async get<Reply>(path: string) {
      const answer = await ask('GET', path);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return (await answer.json()) as Reply;
    },
    async send(method, path, body) {
      try {
        const answer = await ask(method, path, body);
        return { status: answer.status, body: await answer.json().catch(() => null) };
      } catch {
        return null;
      }
    },
  };
}
