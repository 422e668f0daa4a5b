import { createOutbound, type OutboundWorld } from '#/platform/http/outbound.ts';
import { JobFailure } from '#/platform/jobs/describe-failure.ts';
import { encryptPayload, type PushKeys } from './encrypt-payload.ts';
import { isPushEndpoint } from './push-hosts.ts';
import type { Vapid } from './vapid.ts';

export interface PushTarget extends PushKeys {
  readonly endpoint: string;
}

export interface PushMessage {
  readonly payload: object;
  /** So long the push service keeps it for a device that is off. */
  readonly ttlS: number;
  readonly urgency: 'low' | 'normal' | 'high';
  /** A later message of the same topic takes the place of one that waits at the service; at most 32 characters of base64url. */
  readonly topic?: string;
}

export type PushOutcome =
  | { readonly outcome: 'accepted' }
  /** The browser has ended the subscription. */
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'later'; readonly afterS: number }
  /** This service will never take it. */
  | { readonly outcome: 'refused'; readonly status: number };

export interface PushSender {
  /** Whether a subscription there is taken at all. */
  isAllowed(endpoint: string): boolean;
  /** Throws where the service was not reached or failed: it is tried again. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}

interface PushSenderDeps {
  readonly vapid: Vapid;
  /** Besides those of the browsers. */
  readonly hosts: readonly string[];
  /** For tests. */
  readonly world?: OutboundWorld;
}

const LIMITS = { maxBytes: 16 * 1024, timeoutMs: 10_000, atOnce: 8, waiting: 100 };
const LONGEST_WAIT_S = 60 * 60;
const SHORTEST_WAIT_S = 5;

export function createPushSender({ vapid, hosts, world }: PushSenderDeps): PushSender {
  const outbound = createOutbound(LIMITS, world);
  const isAllowed = (endpoint: string) => isPushEndpoint(endpoint, hosts);
  return {
    isAllowed,
    async send({ endpoint, ...keys }, { payload, ttlS, urgency, topic }) {
      // Asked again with each push: the operator may have named other hosts since.
      if (!isAllowed(endpoint)) return { outcome: 'gone' };
      const url = new URL(endpoint);
      const { status, retryAfter } = await outbound.post(url, {
        headers: {
          authorization: vapid.authorization(url),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(ttlS),
          urgency,
          ...(topic !== undefined && { topic }),
        },
        body: encryptPayload(JSON.stringify(payload), keys),
      });
      return readOutcome(status, retryAfter);
    },
  };
}

function readOutcome(status: number, retryAfter: string | null): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 429 || (status === 503 && retryAfter !== null))
    return { outcome: 'later', afterS: readWait(retryAfter) };
  if (status >= 500) throw new JobFailure(`the push service answered ${status}`);
  return { outcome: 'refused', status };
}

/** Seconds, or a date; a minute where neither is said. */
function readWait(retryAfter: string | null): number {
  const text = retryAfter ?? '';
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Math.min(LONGEST_WAIT_S, Math.max(SHORTEST_WAIT_S, Number.isNaN(seconds) ? 60 : Math.ceil(seconds)));
}
