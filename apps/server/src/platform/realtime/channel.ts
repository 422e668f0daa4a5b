import type { ChannelName } from '@wardline/pusher/channel-name.ts';
import type { Batch } from './batch.ts';
import type { Connection } from './connection.ts';
import { Presence } from './presence.ts';

/**
 * One socket in one channel.
 * States: waiting (`held` is a batch: in the channel, not answered yet), live (`held` is null), ended.
 */
export type Subscription = {
  readonly connection: Connection;
  readonly channel: Channel;
  readonly memberId: string | null;
  readonly startedAt: number;
  /** Frames queued before this order number are not for this socket. */
  since: number;
  held: Batch | null;
  hasMissedEvents: boolean;
  isAllowed: boolean;
  isEnded: boolean;
  isBeingChecked: boolean;
  /** Answers without the snapshot; set while the snapshot is being read. */
  giveUp: (() => void) | null;
  /** When the right must be asked for again, and when the socket is closed if that did not succeed. */
  dueAt: number;
  deadline: number;
};

export class Channel {
  readonly name: ChannelName;
  readonly members = new Map<Connection, Subscription>();
  readonly presence: Presence | null;
  /** Frames of this tick, for everyone in the channel. */
  batch: Batch | null = null;

  constructor(name: ChannelName) {
    this.name = name;
    this.presence = name.kind === 'presence' ? new Presence() : null;
  }
}
