import { exportCensusLog } from '@wardline/contract/census/logs.ts';
import { expect, it } from 'vitest';
import { failureOf, setupCall } from '#/testing/call-setup.ts';
import { testConfig } from '#/testing/test-config.ts';
import { downloadFile } from './download.ts';

const facility = '018f0000-0000-7000-8000-000000000001';
const input = { params: { facility }, query: { format: 'jsonl' } };

function setUp(answer: () => Response, mode: 'cookie' | 'token' = 'cookie') {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = [];
  const { call, events } = setupCall(() => expect.fail('this is not the way a file comes'), {
    config: testConfig({ mode, retry: 'off' }),
    tokenStorage: { get: () => 'secret', set: () => undefined },
  });
  const take = () =>
    downloadFile(call, exportCensusLog, input, {
      send: async (url, init = {}) => {
        sent.push({ url: String(url), init, headers: new Headers(init.headers) });
        return answer();
      },
    });
  return { call, take, sent, events };
}

const file = (text: string) =>
  new Response(text, { headers: { 'Content-Disposition': 'attachment; filename="census-log-SB-1-3.jsonl"' } });

it('CEN-7 a file comes as it is, also where it is JSON, under the name that the server gave it', async () => {
  const { take } = setUp(() => file('{"seq":1}\n'));
  const { blob, fileName } = await take();
  expect(await blob.text()).toBe('{"seq":1}\n');
  expect(fileName).toBe('census-log-SB-1-3.jsonl');
});

it('CEN-7 an empty file without a name is a file', async () => {
  const { blob, fileName } = await setUp(() => new Response('')).take();
  expect([blob.size, fileName]).toEqual([0, null]);
});

it.each(['../up.csv', 'a/b.csv', 'a\\b.csv'])('CEN-7 a name that is a path is no name: %s', async (name) => {
  const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
  expect((await setUp(() => new Response('x', { headers })).take()).fileName).toBeNull();
});

it('CEN-7 in cookie mode the cookies go with it, in token mode the token', async () => {
  const cookie = setUp(() => file('x'));
  await cookie.take();
  expect(cookie.sent[0]?.init.credentials).toBe('include');
  expect(cookie.sent[0]?.url).toContain(`/api/census/facilities/${facility}/logs/export?format=jsonl`);
  const token = setUp(() => file('x'), 'token');
  await token.take();
  expect(token.sent[0]?.init.credentials).toBe('omit');
  expect(token.sent[0]?.headers.get('Authorization')).toBe('Bearer secret');
});

it('CEN-7 a refusal is the ApiError of every other call', async () => {
  const { take, events } = setUp(() => Response.json({ message: 'No.', code: 'forbidden' }, { status: 403 }));
  expect(await failureOf(take())).toMatchObject({ status: 403, code: 'forbidden', message: 'No.' });
  expect(events).toEqual(['sanctum:error']);
});

it('CEN-7 a file that breaks off on its way is a failure and no half file', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('half'));
      controller.error(new TypeError('The network failed.'));
    },
  });
  expect(await failureOf(setUp(() => new Response(broken)).take())).toMatchObject({ code: 'network', status: 0 });
});

it('F-C4 UI-2 it is told how many bytes have come, with each part', async () => {
  const { call } = setUp(() => file(''));
  const told: number[] = [];
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const size of [3, 4]) controller.enqueue(new Uint8Array(size));
      controller.close();
    },
  });
  const send = async () => new Response(parts, { headers: { 'Content-Type': 'text/csv' } });
  const { blob } = await downloadFile(call, exportCensusLog, input, { send, onProgress: (bytes) => told.push(bytes) });
  expect(told).toEqual([3, 7]);
  expect([blob.size, blob.type]).toEqual([7, 'text/csv']);
});

it('F-C4 UI-2 it ends at once when it is cancelled on its way, and the server is not read any further', async () => {
  const { call } = setUp(() => file(''));
  const controller = new AbortController();
  let isStopped = false;
  const send: typeof fetch = async (_url, init) => {
    const endless = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new Uint8Array(5));
        init?.signal?.addEventListener('abort', () => {
          isStopped = true;
          stream.error(init.signal?.reason);
        });
      },
    });
    return new Response(endless);
  };
  const onProgress = () => controller.abort();
  const taking = downloadFile(call, exportCensusLog, { ...input, signal: controller.signal }, { send, onProgress });
  expect((await failureOf(taking)).code).toBe('cancelled');
  expect(isStopped).toBe(true);
});
