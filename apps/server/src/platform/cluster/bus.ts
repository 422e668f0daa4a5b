import * as z from 'zod/mini';

const Asked = z.discriminatedUnion('about', [
  /** Whoever holds this socket binds it to a session: 'bound', 'refused', or 'unknown' where it is not held. */
  z.strictObject({
    about: z.literal('bind'),
    socketId: z.string(),
    identity: z.strictObject({ userId: z.string(), sessionKey: z.string(), isWatched: z.optional(z.boolean()) }),
  }),
  /** Who is in these channels of the Pusher application, or in those whose names begin so? */
  z.strictObject({
    about: z.literal('app channels'),
    channels: z.union([
      z.strictObject({ names: z.readonly(z.array(z.string())) }),
      z.strictObject({ prefix: z.string() }),
    ]),
  }),
  /** The stays in these channels of it. */
  z.strictObject({ about: z.literal('app stays'), channels: z.readonly(z.array(z.string())) }),
]);
/** What one server asks the others. */
export type Asked = z.output<typeof Asked>;

/** The product's sockets, or those of the Pusher application. */
const Gateway = z.enum(['product', 'app']);

/** What one server process tells the others; a frame or nothing goes with it as bytes. */
const Told = z.discriminatedUnion('kind', [
  /** It is there, and hears itself. */
  z.strictObject({ kind: z.literal('beat') }),
  /** Bytes for the members of a channel, framed already. */
  z.strictObject({
    kind: z.literal('deliver'),
    channel: z.string(),
    /** The socket whose request caused it. */
    except: z.optional(z.string()),
    /** What it is about, for sockets that are in the channel without some things. */
    about: z.optional(z.string()),
  }),
  /** The same for the channels of the Pusher application, which are its own. */
  z.strictObject({ kind: z.literal('app deliver'), channel: z.string(), except: z.optional(z.string()) }),
  /** The sockets on which this user of the Pusher application signed in are closed. */
  z.strictObject({ kind: z.literal('app end'), userId: z.string() }),
  /** Moves of members of presence channels at this server, as JSON in the bytes; from the first on nothing is left out. */
  z.strictObject({ kind: z.literal('members'), gateway: Gateway, isFirst: z.optional(z.literal(true)) }),
  /** This server is to tell all of its members, and begins with a first. */
  z.strictObject({ kind: z.literal('members wanted'), gateway: Gateway, of: z.string() }),
  /** Numbers under keys for what counts by them, as JSON in the bytes. */
  z.strictObject({ kind: z.literal('numbers') }),
  z.strictObject({ kind: z.literal('end'), sockets: z.enum(['session', 'user']), id: z.string() }),
  z.strictObject({ kind: z.literal('recheck'), userId: z.optional(z.string()) }),
  /** What is remembered of a person or a credential holds no longer. */
  z.strictObject({ kind: z.literal('forget'), userId: z.optional(z.string()), key: z.optional(z.string()) }),
  /** A question to all others; the answer of one comes as JSON in the bytes. */
  z.strictObject({ kind: z.literal('ask'), question: z.string(), asked: Asked }),
  z.strictObject({ kind: z.literal('answer'), question: z.string() }),
]);
export type Told = z.output<typeof Told>;

/** How the server processes of an installation hear each other. What is told comes to all others, in the order of each who tells. */
export interface Bus {
  /** This server, as the others know it; another one after each start. */
  readonly node: string;
  tell(told: Told, bytes?: Buffer): void;
  /** Called with what others tell, and who. */
  onTold(listener: (told: Told, bytes: Buffer, from: string) => void): void;
  /** Called with a server of whose words one was missed, or which has said nothing for some beats: what it told before may not hold. */
  onLost(listener: (node: string) => void): void;
  /**
   * Called with false when something that others tell may not be heard any more, and with true when all is heard from then on. It
   * begins with false.
   */
  onHearing(listener: (isHearing: boolean) => void): void;
  isHearing(): boolean;
  /** How many others there are, as far as one has heard of them lately. */
  others(): number;
  /** Says and hears nothing more; its connections are closed by whoever opened them. */
  close(): void;
}

/** Reads what was told; null where it is nothing of ours. */
export function readTold(text: string): Told | null {
  try {
    return Told.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
