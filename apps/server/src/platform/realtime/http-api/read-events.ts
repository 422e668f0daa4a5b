import { type ChannelName, parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import { isEventName } from '#/platform/realtime/protocol/frames.ts';
import { HttpApiError } from './http-api-error.ts';

/** How much one request may trigger. */
export interface TriggerLimits {
  readonly dataBytes: number;
  readonly channels: number;
  readonly batch: number;
}

/** What of a channel can be asked for. What was said in it cannot: nothing that the API answers holds content. */
export const INFO = ['user_count', 'subscription_count'] as const;
export type Info = (typeof INFO)[number];

/** An event that an application wants to be told, checked. */
export interface Trigger {
  readonly channels: readonly ChannelName[];
  readonly event: string;
  readonly text: string;
  /** The socket that caused it. */
  readonly except: string | undefined;
  readonly info: readonly Info[];
}

/** Reads the body of `POST /events`; throws 400 or 413. */
export function readTrigger(body: Buffer, limits: TriggerLimits): Trigger {
  const event = readObject(body);
  return toTrigger(event, event['channels'] ?? [event['channel']], limits);
}

/** Reads the body of `POST /batch_events`: all of it is right, or nothing is told. Throws 400 or 413. */
export function readBatch(body: Buffer, limits: TriggerLimits): Trigger[] {
  const { batch } = readObject(body);
  if (!Array.isArray(batch) || batch.length === 0 || batch.length > limits.batch) {
    throw new HttpApiError(400, `batch must be a list of 1 to ${limits.batch} events.`);
  }
  return batch.map((event: unknown) => {
    if (!isObject(event)) throw new HttpApiError(400, 'An event must be an object.');
    return toTrigger(event, [event['channel']], limits);
  });
}

/** Reads a list of what to tell of channels, with commas between; throws 400. */
export function readInfo(text: unknown): Info[] {
  if (text === undefined || text === null || text === '') return [];
  const names = typeof text === 'string' ? text.split(',') : [''];
  return names.map((name) => {
    const info = INFO.find((known) => known === name);
    if (info === undefined) throw new HttpApiError(400, `info knows ${INFO.join(' and ')}.`);
    return info;
  });
}

function toTrigger(event: Readonly<Record<string, unknown>>, names: unknown, limits: TriggerLimits): Trigger {
  const { name, data, socket_id: socketId } = event;
  if (!isEventName(name) || /^pusher(_internal)?:/.test(name)) {
    throw new HttpApiError(400, 'name must have 1 to 200 characters, and not begin with pusher: or pusher_internal:.');
  }
  if (typeof data !== 'string') throw new HttpApiError(400, 'data must be text.');
  if (Buffer.byteLength(data) > limits.dataBytes) {
    throw new HttpApiError(413, `data may have ${limits.dataBytes} bytes.`);
  }
  if (socketId !== undefined && socketId !== null && !(typeof socketId === 'string' && /^\d+\.\d+$/.test(socketId))) {
    throw new HttpApiError(400, 'socket_id is not the id of a socket.');
  }
  const channels = toChannels(names, limits);
  if (channels.some(({ kind }) => kind === 'private-encrypted')) requireEncrypted(channels, data);
  return { channels, event: name, text: data, except: socketId ?? undefined, info: readInfo(event['info']) };
}

function toChannels(names: unknown, limits: TriggerLimits): ChannelName[] {
  if (!Array.isArray(names) || names.length === 0 || names.length > limits.channels) {
    throw new HttpApiError(400, `channels must be a list of 1 to ${limits.channels} names.`);
  }
  // Once each: who is in a channel hears an event once.
  return [...new Set<unknown>(names)].map((name) => {
    const channel = parseChannelName(name);
    if (channel === null) throw new HttpApiError(400, 'The name of a channel is not valid.');
    return channel;
  });
}

/** The application has encrypted it with a key that only its members have. Text that nobody could decrypt is a mistake, and maybe a leak. */
function requireEncrypted(channels: readonly ChannelName[], data: string): void {
  if (channels.length > 1) throw new HttpApiError(400, 'An encrypted event goes to one channel.');
  const event = parse(data);
  const isEncrypted = isObject(event) && isBase64(event['nonce']) && isBase64(event['ciphertext']);
  if (!isEncrypted) throw new HttpApiError(400, 'data of an encrypted channel must be a nonce and a ciphertext.');
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function readObject(body: Buffer): Readonly<Record<string, unknown>> {
  const value = parse(body.toString());
  if (!isObject(value)) throw new HttpApiError(400, 'The body must be a JSON object.');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
