import * as z from 'zod/mini';

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
  /** Who is in these channels of it, or in those whose names begin so, or stays in these? The answer comes as JSON in the bytes. */
  z.strictObject({
    kind: z.literal('app look'),
    question: z.string(),
    asked: z.union([
      z.strictObject({ names: z.readonly(z.array(z.string())) }),
      z.strictObject({ prefix: z.string() }),
      z.strictObject({ staysIn: z.readonly(z.array(z.string())) }),
    ]),
  }),
  z.strictObject({ kind: z.literal('app seen'), question: z.string() }),
  z.strictObject({ kind: z.literal('end'), sockets: z.enum(['session', 'user']), id: z.string() }),
  z.strictObject({ kind: z.literal('recheck'), userId: z.optional(z.string()) }),
  /** What is remembered of a person or a credential holds no longer. */
  z.strictObject({ kind: z.literal('forget'), userId: z.optional(z.string()), key: z.optional(z.string()) }),
  /** Whoever holds this socket binds it to a session, and says what came of it. */
  z.strictObject({
    kind: z.literal('bind'),
    question: z.string(),
    socketId: z.string(),
    identity: z.strictObject({ userId: z.string(), sessionKey: z.string(), isWatched: z.optional(z.boolean()) }),
  }),
  z.strictObject({ kind: z.literal('bound'), question: z.string(), isBound: z.boolean() }),
]);
export type Told = z.output<typeof Told>;

/** How the server processes of an installation hear each other. What is told comes to all others, in the order of each who tells. */
export interface Bus {
  tell(told: Told, bytes?: Buffer): void;
  /** Called with what others tell. */
  onTold(listener: (told: Told, bytes: Buffer) => void): void;
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
