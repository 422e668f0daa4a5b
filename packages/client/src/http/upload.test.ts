import { setAvatar } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { describe, expect, it } from 'vitest';
import { createSilentLog } from '#/testing/silent-log.ts';
import { testConfig } from '#/testing/test-config.ts';
import { ApiError } from './api-error.ts';
import { createCall } from './call.ts';
import { createUploadFetch } from './upload.ts';

const user: User = {
  id: 'u1',
  name: 'Ana Reyes',
  email: 'ana@demo.test',
  email_verified_at: null,
  avatar_url: '/avatars/x.webp',
  is_operator: false,
  memberships: [],
};

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: string;
  readonly url?: string;
}

/** What a browser's XMLHttpRequest does, as far as an upload uses it; `act` is what the network does with it. */
function fakeRequest(act: (request: FakeRequest) => void) {
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget();
    readonly sent: Record<string, string> = {};
    method = '';
    url = '';
    body: unknown = null;
    withCredentials = false;
    responseType = '';
    responseURL = '';
    status = 0;
    statusText = '';
    response: Blob | null = null;
    headers = '';
    wasAborted = false;
    open(method: string, url: string) {
      Object.assign(this, { method, url, responseURL: url });
    }
    setRequestHeader(name: string, value: string) {
      this.sent[name] = value;
    }
    getAllResponseHeaders() {
      return this.headers;
    }
    send(body: unknown) {
      this.body = body;
      act(this);
    }
    abort() {
      this.wasAborted = true;
      this.dispatchEvent(new Event('abort'));
    }
    progress(loaded: number, total: number) {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { lengthComputable: total > 0, loaded, total }));
    }
    answer({ status, body, headers = '', url = this.url }: Answer) {
      const response = body === undefined ? null : new Blob([JSON.stringify(body)]);
      Object.assign(this, { status, headers, response, responseURL: url });
      this.dispatchEvent(new Event('load'));
    }
  }
  return FakeRequest;
}
type FakeRequest = InstanceType<ReturnType<typeof fakeRequest>>;

function setUp(act: (request: FakeRequest) => void) {
  const events: string[] = [];
  const steps: number[] = [];
  const requests: FakeRequest[] = [];
  const call = createCall({
    config: testConfig({ mode: 'cookie' }),
    log: createSilentLog(),
    onEvent: (name) => events.push(name),
    readCookies: () => 'XSRF-TOKEN=abc%3D',
    origin: 'http://wardline.test',
    fetch: () => Promise.reject(new Error('this is not the way an upload goes')),
  });
  const Request = fakeRequest((request) => {
    requests.push(request);
    act(request);
  });
  const form = new FormData();
  form.append('avatar', new Blob(['picture']), 'avatar.jpg');
  const send = (signal?: AbortSignal) =>
    call(setAvatar, {
      form,
      fetch: createUploadFetch((fraction) => steps.push(fraction), Request as unknown as typeof XMLHttpRequest),
      ...(signal ? { signal } : {}),
    });
  const fails = (work: Promise<unknown>) => work.then(() => null).catch((error: ApiError) => error);
  return { send, fails, events, steps, requests };
}

describe('an upload', () => {
  it('UI-2 tells its progress and answers with what the contract says', async () => {
    const { send, steps } = setUp((request) => {
      request.progress(10, 40);
      request.progress(10, 0);
      request.progress(40, 40);
      request.answer({ status: 200, body: user });
    });
    expect(await send()).toEqual(user);
    expect(steps).toEqual([0.25, 1]);
  });

  it('HTTP-1 HTTP-2 HTTP-3 goes out with the headers, the cookies and the method of every other call', async () => {
    const { send, requests } = setUp((request) => request.answer({ status: 200, body: user }));
    await send();
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'http://wardline.test/api/user/avatar',
      withCredentials: true,
      sent: { accept: 'application/json', 'x-xsrf-token': 'abc=' },
    });
    const body = requests[0]?.body;
    expect(body instanceof FormData && [body.get('_method'), body.get('avatar')]).toEqual(['PUT', expect.any(Blob)]);
  });

  it('AUTH-4 a refusal is the ApiError of every other call, with its wait and its field', async () => {
    const errors = { avatar: ['This is not a picture.'] };
    const { send, fails, events } = setUp((request) =>
      request.answer({ status: 422, body: { message: 'No.', errors }, headers: 'Retry-After: 4\r\nx-y: z\r\n' }),
    );
    const error = await fails(send());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, fieldErrors: errors, retryAfterMs: 4000 });
    expect(events).toEqual(['sanctum:error']);
  });

  it('HTTP-5 an answer from another address is never taken for a success', async () => {
    const { send, fails } = setUp((request) =>
      request.answer({ status: 200, body: user, url: 'http://wardline.test/sign-in' }),
    );
    expect(await fails(send())).toMatchObject({ code: 'redirected', status: 0 });
  });

  it('HTTP-7 a lost network is a network failure', async () => {
    const { send, fails } = setUp((request) => request.dispatchEvent(new Event('error')));
    expect(await fails(send())).toMatchObject({ code: 'network', kind: 'temporary' });
  });

  it('UI-2 a cancelled upload stops on the wire and says that it was cancelled', async () => {
    const controller = new AbortController();
    const { send, fails, requests } = setUp(() => controller.abort());
    expect(await fails(send(controller.signal))).toMatchObject({ code: 'cancelled' });
    expect(requests[0]?.wasAborted).toBe(true);
    const before = setUp(() => undefined);
    expect(await before.fails(before.send(AbortSignal.abort()))).toMatchObject({ code: 'cancelled' });
    expect(before.requests).toHaveLength(0);
  });
});
