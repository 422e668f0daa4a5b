import { type ChannelName, parseChannelName } from './channel-name.ts';
import type { CloseCode } from './close-codes.ts';

/** A frame from a client, checked. `data` of a client event is any JSON value. */
export type ClientFrame =
  | { kind: 'subscribe'; channel: ChannelName; auth: string | null; channelData: string | null }
  | { kind: 'unsubscribe'; channel: ChannelName }
  | { kind: 'ping' }
  | { kind: 'pong' }
  | { kind: 'signin'; auth: string; userData: string }
  | { kind: 'client_event'; event: string; channel: ChannelName; data: unknown };

/** Why a frame was not understood. */
export type FrameErrorReason = 'not_json' | 'bad_shape' | 'bad_event' | 'bad_channel' | 'bad_data';

/** What a `pusher:error` frame says; `code` is of the closed list in close-codes. */
export type FrameError = { reason: FrameErrorReason; code: CloseCode; message: string };

/** A decoded frame, or the reason why there is none. */
export type Decoded<T> = { ok: true; frame: T } | { ok: false; error: FrameError };

/** The longest event name, in characters. */
const maxEventNameLength = 200;

const maxAuthLength = 512;

/** Reads one text frame sent by a client. Any text is allowed in; never throws. */
export function decodeClientFrame(text: string): Decoded<ClientFrame> {
  const frame = parseObject(text);
  if (!frame.ok) return frame;
  const { event, data } = frame.frame;
  if (!isEventName(event)) return refuse('bad_event', 'The frame has no event name');
  switch (event) {
    case 'pusher:ping':
      return { ok: true, frame: { kind: 'ping' } };
    case 'pusher:pong':
      return { ok: true, frame: { kind: 'pong' } };
    case 'pusher:subscribe':
      return decodeSubscribe(data);
    case 'pusher:unsubscribe':
      return decodeUnsubscribe(data);
    case 'pusher:signin':
      return decodeSignin(data);
    default:
      return decodeClientEvent(event, frame.frame);
  }
}

/**
 * Writes a frame to clients. `data` becomes JSON text inside the frame, as the protocol wants; `text` is data that is
 * text already and goes unchanged. Throws what JSON.stringify throws (cycles, bigint, too deep).
 */
export function encodeServerFrame(frame: {
  event: string;
  channel?: string;
  data?: unknown;
  text?: string;
  userId?: string | undefined;
}): string {
  const data = frame.text ?? (frame.data === undefined ? undefined : JSON.stringify(frame.data));
  return JSON.stringify({ event: frame.event, channel: frame.channel, data, user_id: frame.userId });
}

/** An event's payload as frames carry it: its JSON, and how every frame with it ends, whatever its channel. */
export interface Payload {
  readonly text: string;
  readonly bytes: number;
  readonly frameEnd: Buffer;
}

export function encodePayload(text: string): Payload {
  return { text, bytes: Buffer.byteLength(text), frameEnd: Buffer.from(`,"data":${JSON.stringify(text)}}`) };
}

/** How the frame of an event begins; with the payload's end it is what `encodeServerFrame` writes. */
export function encodeFrameStart(event: string, channel: string): string {
  return JSON.stringify({ event, channel }).slice(0, -1);
}

/** Writes a `pusher:error` frame, the one frame whose data is an object rather than text. */
export function encodeErrorFrame(code: CloseCode | null, message: string): string {
  return JSON.stringify({ event: 'pusher:error', data: { code, message } });
}

/** Whether a value can be an event's name: text of 1 to 200 characters. */
export function isEventName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxEventNameLength;
}

function decodeSubscribe(data: unknown): Decoded<ClientFrame> {
  if (!isObject(data)) return refuse('bad_data', 'Subscribing needs data with a channel');
  const channel = parseChannelName(data['channel']);
  if (channel === null) return refuse('bad_channel', 'The channel name is not valid');
  const auth = optionalText(data['auth'], maxAuthLength);
  const channelData = optionalText(data['channel_data'], Number.POSITIVE_INFINITY);
  if (auth === undefined || channelData === undefined) {
    return refuse('bad_data', 'auth and channel_data must be text');
  }
  return { ok: true, frame: { kind: 'subscribe', channel, auth, channelData } };
}

function decodeUnsubscribe(data: unknown): Decoded<ClientFrame> {
  if (!isObject(data)) return refuse('bad_data', 'Unsubscribing needs data with a channel');
  const channel = parseChannelName(data['channel']);
  if (channel === null) return refuse('bad_channel', 'The channel name is not valid');
  return { ok: true, frame: { kind: 'unsubscribe', channel } };
}

function decodeSignin(data: unknown): Decoded<ClientFrame> {
  if (!isObject(data)) return refuse('bad_data', 'Signing in needs auth and user_data');
  const auth = optionalText(data['auth'], maxAuthLength);
  const userData = optionalText(data['user_data'], Number.POSITIVE_INFINITY);
  if (!auth || !userData) return refuse('bad_data', 'Signing in needs auth and user_data');
  return { ok: true, frame: { kind: 'signin', auth, userData } };
}

function decodeClientEvent(event: string, frame: Record<string, unknown>): Decoded<ClientFrame> {
  if (!event.startsWith('client-')) return refuse('bad_event', 'The event is not one that clients may send');
  const channel = parseChannelName(frame['channel']);
  if (channel === null) return refuse('bad_channel', 'The channel name is not valid');
  return { ok: true, frame: { kind: 'client_event', event, channel, data: frame['data'] } };
}

function parseObject(text: string): Decoded<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('not_json', 'The frame is not JSON');
  }
  return isObject(value) ? { ok: true, frame: value } : refuse('bad_shape', 'The frame is not an object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Absent, null and empty text are null; what is not text or too long is undefined.
function optionalText(value: unknown, maxLength: number): string | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' && value.length <= maxLength ? value : undefined;
}

function refuse<T>(reason: FrameErrorReason, message: string): Decoded<T> {
  return { ok: false, error: { reason, code: 4200, message } };
}
