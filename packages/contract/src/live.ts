import * as z from 'zod/mini';
import { Id } from './values.ts';

/** The client event on a chat's channels that carries what is live there. */
export const LIVE_EVENT = 'live';
/** Nothing is live for longer without being said again. */
export const LIVE_TTL_MAX_MS = 30_000;
/** What one device may have live in one chat. */
export const LIVE_ENTRIES_MAX = 8;
/** Of a message as text. */
export const LIVE_MESSAGE_BYTES = 2_048;

const FieldCode = z.string().check(z.regex(/^[\w.-]{1,64}$/));

/**
 * What can be live in a chat: the form of its path below `chats/{chat}/`, what its names in braces are, and what may stand there.
 * Never anything of a patient: it is asked of no audit.
 */
export const LIVE_KINDS = {
  /** Somebody's cursor stands in the field. */
  'examinations/{examination}/fields/{field}': {
    params: { examination: Id, field: FieldCode },
    value: z.literal('editing'),
  },
} as const satisfies Record<string, { params: Record<string, z.ZodMiniType<string>>; value: z.ZodMiniType }>;
export type LiveKind = keyof typeof LIVE_KINDS;

const Entry = z.object({
  path: z.string().check(z.maxLength(200)),
  value: z.unknown(),
  /** How long it is live, from when it is received: nobody's clock is asked. */
  ttl_ms: z.int().check(z.gte(1), z.lte(LIVE_TTL_MAX_MS)),
});
export type LiveMessageEntry = z.infer<typeof Entry>;

/** All that a device has live in a chat, said whole each time: what was lost is mended by the next. */
export const LiveMessage = z.object({
  /** An open page; a person may have several. */
  device: Id,
  /** Grows with each message of the device: an older one that comes later says nothing. */
  n: z.int().check(z.positive()),
  entries: z.array(Entry).check(z.maxLength(LIVE_ENTRIES_MAX)),
  /** The device came just now: the others are to say theirs again. */
  asks: z.optional(z.boolean()),
  /** Who it is, set by the server. */
  by: z.optional(z.object({ name: z.string().check(z.maxLength(200)) })),
});
export type LiveMessage = z.infer<typeof LiveMessage>;

export interface LivePath {
  readonly kind: LiveKind;
  /** By the names in braces. */
  readonly params: Readonly<Record<string, string>>;
}

/** Reads a path below a chat; null where nothing of that form can be live. */
export function readLivePath(path: string): LivePath | null {
  const parts = path.split('/');
  for (const [kind, { params: shapes }] of Object.entries(LIVE_KINDS)) {
    const params = readParams(kind.split('/'), parts, shapes);
    if (params !== null) return { kind: kind as LiveKind, params };
  }
  return null;
}

function readParams(
  form: readonly string[],
  parts: readonly string[],
  shapes: Readonly<Record<string, z.ZodMiniType<string>>>,
): Record<string, string> | null {
  if (form.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [place, part] of parts.entries()) {
    const name = /^\{(.+)\}$/.exec(form[place] ?? '')?.[1];
    if (name === undefined ? form[place] !== part : shapes[name]?.safeParse(part).success !== true) return null;
    if (name !== undefined) params[name] = part;
  }
  return params;
}

/**
 * Reads what a device says is live, on the server before it goes on and on each device that hears it: a back end may pass on what
 * it did not look at. Null where it is no such message; entries that do not fit their kind are left out, each path counts once.
 */
export function readLiveMessage(data: unknown): LiveMessage | null {
  const message = z.safeParse(LiveMessage, data).data;
  if (message === undefined) return null;
  const entries = new Map<string, LiveMessageEntry>();
  for (const entry of message.entries) {
    const path = readLivePath(entry.path);
    if (path !== null && z.safeParse(LIVE_KINDS[path.kind].value, entry.value).success) entries.set(entry.path, entry);
  }
  return { ...message, entries: [...entries.values()] };
}
