import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf, neverAnswers } from '#/testing/call-setup.ts';
import { fakeTime } from '#/testing/settle.ts';
import { fetchJson } from './fetch-json.ts';

function setup(...answers: (() => Response)[]) {
  const asked: RequestInit[] = [];
  const ask: typeof fetch = async (_url, init = {}) => {
    asked.push(init);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) throw new Error('Nothing to answer with');
    return answer();
  };
  return { ask, asked };
}
const refusal =
  (status: number, headers = {}) =>
  () =>
    new Response('no', { status, headers });

describe('fetchJson', () => {
  beforeEach(fakeTime);
  afterEach(() => void vi.useRealTimers());

  it('HTTP-6 answers what the JSON says, and asks for JSON', async () => {
    const { ask, asked } = setup(() => Response.json({ id: 'b1' }));
    expect(await fetchJson('/builds/latest.json', { fetch: ask, cache: 'no-cache' })).toEqual({ id: 'b1' });
    expect(asked[0]).toMatchObject({ cache: 'no-cache', headers: { Accept: 'application/json' } });
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])('HTTP-6 reads again once on %i', async (status) => {
    const { ask, asked } = setup(refusal(status), () => Response.json('there'));
    const reading = fetchJson('/config.json', { fetch: ask });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await reading).toBe('there');
    const again = setup(refusal(status));
    const failing = failureOf(fetchJson('/config.json', { fetch: again.ask }));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await failing).status).toBe(status);
    expect([asked.length, again.asked.length]).toEqual([2, 2]);
  });

  it.each([400, 401, 403, 404, 419, 422, 501, 505, 599])('HTTP-6 %i is an error at once', async (status) => {
    const { ask, asked } = setup(refusal(status));
    expect((await failureOf(fetchJson('/config.json', { fetch: ask }))).status).toBe(status);
    expect(asked).toHaveLength(1);
  });

  it('HTTP-6 a lost network is asked once more, and Retry-After is honoured', async () => {
    const lost = () => {
      throw new TypeError('no network');
    };
    const { ask } = setup(lost, refusal(503, { 'Retry-After': '2' }), () => Response.json(1));
    const first = failureOf(fetchJson('/config.json', { fetch: ask }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await first).toMatchObject({ status: 503, retryAfterMs: 2000 });
    const slow = setup(refusal(503, { 'Retry-After': '2' }), () => Response.json(1));
    const second = fetchJson('/config.json', { fetch: slow.ask });
    await vi.advanceTimersByTimeAsync(1900);
    expect(slow.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await second).toBe(1);
  });

  it('PWA-7 a page of HTML is no JSON', async () => {
    const { ask } = setup(() => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }));
    const error = await failureOf(fetchJson('/builds/latest.json', { fetch: ask }));
    expect(error).toMatchObject({
      code: 'malformed_reply',
      message: '/builds/latest.json was not answered with JSON.',
    });
  });

  it('HTTP-7 ends after its timeout and at once when cancelled, in the pause before the repeat too', async () => {
    const never: typeof fetch = (url, init = {}) => neverAnswers(String(url), init);
    const slow = failureOf(fetchJson('/config.json', { fetch: never, timeoutMs: 4000 }));
    await vi.advanceTimersByTimeAsync(4000);
    expect((await slow).code).toBe('timeout');
    const controller = new AbortController();
    const { ask, asked } = setup(refusal(503, { 'Retry-After': '9' }));
    const waiting = failureOf(fetchJson('/config.json', { fetch: ask, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort();
    expect((await waiting).code).toBe('cancelled');
    expect(asked).toHaveLength(1);
  });
});
