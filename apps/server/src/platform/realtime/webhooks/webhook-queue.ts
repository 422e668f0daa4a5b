import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outbound, OutboundError } from '#/platform/http/outbound.ts';
import type { Log } from '#/platform/log.ts';
import type { AppKey } from '#/platform/realtime/protocol/signature.ts';
import type { WebhookEvent } from './watch-channels.ts';

/** Waits after each try that failed, in milliseconds: about five minutes in all, as Pusher's. */
const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000];
const MOST_EVENTS = 100;

interface Queue {
  readonly app: AppKey;
  readonly url: URL;
  readonly outbound: Outbound;
  readonly log: Log;
  /** What waits at most, in bytes. Of more, the oldest is lost. */
  readonly mostBytes: number;
  /** For tests. */
  readonly backOffMs?: readonly number[];
}

/** Tells one address, in order: a batch at a time, signed, and again until it was taken. */
export class WebhookQueue {
  readonly #queue: Queue;
  readonly #waiting: Buffer[] = [];
  readonly #stop = new AbortController();
  #bytes = 0;
  #lost = 0;
  #work: Promise<void> | null = null;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  put(event: WebhookEvent): void {
    const text = Buffer.from(JSON.stringify(event));
    this.#waiting.push(text);
    this.#bytes += text.length;
    while (this.#bytes > this.#queue.mostBytes) {
      this.#bytes -= this.#waiting.shift()?.length ?? 0;
      this.#lost += 1;
    }
  }

  /** Begins to send what waits, unless that is under way. */
  send(): void {
    if (this.#work !== null || this.#waiting.length === 0) return;
    this.#work = this.#sendAll().finally(() => {
      this.#work = null;
    });
  }

  /** Tries once more to send what waits, and then does nothing. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#work;
    await this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    if (this.#lost > 0) this.#queue.log.warn({ events: this.#lost }, 'webhooks were lost: too many waited');
    this.#lost = 0;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_EVENTS);
      for (const { length } of batch) this.#bytes -= length;
      const body = Buffer.from(`{"time_ms":${Date.now()},"events":[${batch.join(',')}]}`);
      const isTaken = await this.#deliver(body, batch.length);
      // At the end nobody waits for an address that does not answer.
      if (!isTaken && this.#stop.signal.aborted) return;
    }
  }

  async #deliver(body: Buffer, events: number): Promise<boolean> {
    const { app, url, log, backOffMs = BACK_OFF_MS } = this.#queue;
    const signature = createHmac('sha256', app.secret).update(body).digest('hex');
    const headers = {
      ...{ 'content-type': 'application/json' },
      ...{ 'x-pusher-key': app.key, 'x-pusher-signature': signature },
    };
    for (const waitMs of [...backOffMs, null]) {
      const failure = await this.#post(url, { headers, body });
      if (failure === null) return true;
      if (waitMs === null || this.#stop.signal.aborted) {
        log.warn({ host: url.host, failure, events }, 'webhooks were given up');
        break;
      }
      await sleep(waitMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
    }
    return false;
  }

  /** Null where it was taken. */
  async #post(url: URL, post: Parameters<Outbound['post']>[1]): Promise<number | string | null> {
    try {
      const { status } = await this.#queue.outbound.post(url, post);
      return status >= 200 && status < 300 ? null : status;
    } catch (error) {
      // The queue has one batch under way, so the gate of the way out is never full.
      return error instanceof OutboundError ? error.failure : 'failed';
    }
  }
}
