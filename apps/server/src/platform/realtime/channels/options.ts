import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Limits } from '#/platform/realtime/delivery/limits.ts';
import type { Present } from './presence.ts';
import type { Identity } from './sockets-and-channels.ts';

/** Handles one `upgrade` request of an HTTP server. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A person is in a channel, but for events about some things. */
export type Admission = {
  /** What an event may not be about to reach this socket. */
  readonly without: ReadonlySet<string>;
};

/** What a device says is live, as it goes on. */
export type LiveRelay = {
  readonly channels: readonly string[];
  readonly userId: string;
  readonly data: unknown;
};

/** A frame on its way to the members of a channel. */
export type Delivery = {
  readonly channel: string;
  readonly frame: Buffer;
  /** The socket whose request caused it. */
  readonly except?: string | undefined;
  /** What it is about, for sockets that are in the channel without some things. */
  readonly about?: string | undefined;
};

/** What happens in the channels here, for whoever tells it to an application. Called on the delivery path: it must only note it. */
export type ChannelEvents = {
  /** The first socket is in the channel, or the last one has left it. */
  occupied(channel: string): void;
  vacated(channel: string, since: number): void;
  memberAdded(channel: string, memberId: string): void;
  memberRemoved(channel: string, member: Present): void;
  clientEvent(sent: ClientEvent): void;
  /** Somebody joined a cache channel whose last event is not known. */
  cacheMissed(channel: string): void;
  counted(channel: string, sockets: number): void;
};

export type ClientEvent = {
  readonly channel: string;
  readonly event: string;
  readonly text: string;
  readonly socketId: string;
  readonly memberId: string | null;
};

export type Authorize = (identity: Identity, channelName: string) => Promise<boolean | Admission>;

export type GatewayOptions = {
  key: string;
  secret: string;
  /** What the secrets of encrypted channels come from; without it nothing is published on them. */
  masterKey?: Buffer;
  /** Exact; `undefined` is a request without the header. `host` is the request's own. */
  isAllowedOrigin: (origin: string | undefined, host: string | undefined) => boolean;
  /** False for a request that asks for another server; left out, every name is taken. */
  isForUs?: (request: IncomingMessage) => boolean;
  /**
   * Whether this person may be in this private or presence channel now. Asked at joining and again within 60 s. `by signature`: the
   * sockets are of no session, and what the application has signed is its word for as long as the socket lives, as in Pusher itself.
   */
  authorize: Authorize | 'by signature';
  /** Which of these sessions still live. Asked soon after a socket is identified and again within 60 s. */
  liveSessions: (sessionKeys: string[]) => Promise<Set<string>>;
  /**
   * What of a member's message about what is live goes on, and to whom; null where nothing does. Left out, it goes on like any
   * client event.
   */
  relayLive?: (identity: Identity, channelName: string, text: string) => Promise<LiveRelay | null>;
  /** What a new subscriber should know, read after it has joined; merged into subscription_succeeded. */
  snapshot?: (channelName: string) => Promise<Record<string, unknown>>;
  /** Tells the other servers of what was published here; left out, there are none. */
  tellOthers?: (delivery: Delivery) => void;
  events?: ChannelEvents;
  /** Takes the sockets of another key; null where there is no such application. */
  otherApp?: (key: string) => UpgradeHandler | null;
  /** Publish how many sockets a channel has, for channels other than presence. */
  subscriptionCount?: boolean;
  /** Which public channels there are; none unless told. */
  isPublicChannel?: (channelName: string) => boolean;
  /** Names the device where somebody has signed in on it before: such a socket is no stranger's. */
  knownDevice?: (request: IncomingMessage) => string | null;
  /** The client's address behind a trusted proxy; otherwise the address of the TCP connection. */
  clientAddress?: (request: IncomingMessage) => string;
  limits?: Partial<Limits>;
  onError?: (error: unknown, doing: string) => void;
};
