import type { ChannelEvents, ClientEvent } from '#/platform/realtime/channels/options.ts';
import type { ChannelState } from '#/platform/realtime/connections/gateway.ts';

/** What an application is told, as Pusher's webhooks name it. */
export type WebhookEvent =
  | { readonly name: 'channel_occupied' | 'channel_vacated' | 'cache_miss'; readonly channel: string }
  | { readonly name: 'member_added' | 'member_removed'; readonly channel: string; readonly user_id: string }
  | { readonly name: 'subscription_count'; readonly channel: string; readonly subscription_count: number }
  | {
      readonly name: 'client_event';
      readonly channel: string;
      readonly event: string;
      readonly data: string;
      readonly socket_id: string;
      readonly user_id?: string;
    };

/** Of a channel, or of a member in it. Times are in milliseconds since 1970. */
export interface Stay {
  readonly channel: string;
  /** Null for the channel as a whole. */
  readonly memberId: string | null;
  readonly since: number;
  /** When it ended, of which nothing is told yet; null while it lasts. */
  readonly wentAt: number | null;
}

interface Watched {
  readonly put: (event: WebhookEvent) => void;
  /** Who is in these channels here. */
  readonly look: (asked: { readonly names: readonly string[] }) => readonly ChannelState[];
  /** The stays in these channels at the other servers. */
  readonly askOthers: (channels: readonly string[]) => Promise<readonly Stay[]>;
  /** How long somebody must be gone to have gone: a page that is loaded anew has not left. */
  readonly graceMs: number;
  /** So many comings and goings are kept at most; the oldest is told earlier than it would be. */
  readonly mostMoves: number;
}

export interface ChannelWatch extends ChannelEvents {
  /** Tells what is due, or at the end all there is. Called now and then, one call after the other. */
  tell(all?: boolean): Promise<void>;
  /** The stays in these channels here, for the other servers. */
  stays(channels: readonly string[]): Stay[];
}

/**
 * Makes of what happens in the channels of this server what the application is told: who is back within the time of grace had not gone,
 * and of several servers the first that a channel or member comes to tells of it, and the last that they leave.
 */
export function watchChannels({ put, look, askOthers, graceMs, mostMoves }: Watched): ChannelWatch {
  const came: Stay[] = [];
  /** By channel and member, the first that went first. */
  const went = new Map<string, Stay>();

  function noteCame(channel: string, memberId: string | null): void {
    const isBack = went.delete(keyOf(channel, memberId));
    if (!isBack) came.push({ channel, memberId, since: Date.now(), wentAt: null });
    tellOldest();
  }

  function noteWent(channel: string, memberId: string | null, since: number): void {
    went.set(keyOf(channel, memberId), { channel, memberId, since, wentAt: Date.now() });
    tellOldest();
  }

  function tellOldest(): void {
    if (came.length + went.size <= mostMoves) return;
    const [first] = went.values();
    const oldest = came.shift() ?? first;
    if (oldest === undefined) return;
    if (oldest === first) went.delete(keyOf(oldest.channel, oldest.memberId));
    put(toEvent(oldest));
  }

  function dueOf(all: boolean): Stay[] {
    const due = came.splice(0);
    const before = all ? Number.POSITIVE_INFINITY : Date.now() - graceMs;
    for (const stay of went.values()) {
      if ((stay.wentAt ?? 0) > before) break;
      due.push(stay);
    }
    return due;
  }

  /** False where it is no more among those that went. */
  function takeWent(stay: Stay): boolean {
    const key = keyOf(stay.channel, stay.memberId);
    return went.get(key) === stay && went.delete(key);
  }

  return {
    occupied: (channel) => noteCame(channel, null),
    vacated: (channel, since) => noteWent(channel, null, since),
    memberAdded: (channel, memberId) => noteCame(channel, memberId),
    memberRemoved: (channel, { id, since }) => noteWent(channel, id, since),
    cacheMissed: (channel) => put({ name: 'cache_miss', channel }),
    counted: (channel, sockets) => put({ name: 'subscription_count', channel, subscription_count: sockets }),
    clientEvent: (sent) => put(toClientEvent(sent)),
    stays(channels) {
      const asked = new Set(channels);
      return [
        ...look({ names: channels }).flatMap(staysOf),
        ...[...went.values()].filter(({ channel }) => asked.has(channel)),
      ];
    },
    async tell(all = false) {
      const due = dueOf(all);
      if (due.length === 0) return;
      const elsewhere = new Map<string, Stay[]>();
      for (const stay of await askOthers([...new Set(due.map(({ channel }) => channel))])) {
        const key = keyOf(stay.channel, stay.memberId);
        elsewhere.set(key, [...(elsewhere.get(key) ?? []), stay]);
      }
      for (const stay of due) {
        // Who came back while the others were asked had not gone.
        if (stay.wentAt !== null && !takeWent(stay)) continue;
        if (!isOthers(stay, elsewhere.get(keyOf(stay.channel, stay.memberId)) ?? [])) put(toEvent(stay));
      }
    },
  };
}

function keyOf(channel: string, memberId: string | null): string {
  return memberId === null ? channel : `${channel} ${memberId}`;
}

function staysOf({ name: channel, since, members }: ChannelState): Stay[] {
  const whole = { channel, memberId: null, since, wentAt: null };
  return [whole, ...members.map((member) => ({ channel, memberId: member.id, since: member.since, wentAt: null }))];
}

/** Another server tells of it: who came was there before, or who went is there still or went later from there. */
function isOthers({ since, wentAt }: Stay, elsewhere: readonly Stay[]): boolean {
  return elsewhere.some((other) =>
    wentAt === null ? other.since < since : other.wentAt === null || other.wentAt > wentAt,
  );
}

function toEvent({ wentAt, channel, memberId }: Stay): WebhookEvent {
  if (memberId === null) return { name: wentAt === null ? 'channel_occupied' : 'channel_vacated', channel };
  return { name: wentAt === null ? 'member_added' : 'member_removed', channel, user_id: memberId };
}

function toClientEvent({ channel, event, text, socketId, memberId }: ClientEvent): WebhookEvent {
  const sent = { name: 'client_event', channel, event, data: text, socket_id: socketId } as const;
  return memberId === null ? sent : { ...sent, user_id: memberId };
}
