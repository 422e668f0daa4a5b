import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textFrame } from '#/platform/realtime/delivery/transport.ts';
import {
  type ClientFrame,
  decodeClientFrame,
  encodeErrorFrame,
  encodeFrameStart,
  encodePayload,
  encodeServerFrame,
  type FrameErrorReason,
  isEventName,
} from './frames.ts';

const changes = { name: 'news', kind: 'public', cache: false, userId: null } as const;
const chat = { name: 'private-chat', kind: 'private', cache: false, userId: null } as const;

test.each<[string, ClientFrame]>([
  ['{"event":"pusher:ping","data":{}}', { kind: 'ping' }],
  ['{"event":"pusher:pong"}', { kind: 'pong' }],
  [
    '{"event":"pusher:subscribe","data":{"auth":"","channel":"news"}}',
    { kind: 'subscribe', channel: changes, auth: null, channelData: null },
  ],
  [
    '{"event":"pusher:subscribe","data":{"auth":"k:s","channel_data":"{}","channel":"private-chat"}}',
    { kind: 'subscribe', channel: chat, auth: 'k:s', channelData: '{}' },
  ],
  ['{"event":"pusher:unsubscribe","data":{"channel":"news"}}', { kind: 'unsubscribe', channel: changes }],
  ['{"event":"pusher:signin","data":{"auth":"k:s","user_data":"{}"}}', { kind: 'signin', auth: 'k:s', userData: '{}' }],
  [
    '{"event":"client-typing","channel":"private-chat","data":{"a":1}}',
    { kind: 'client_event', event: 'client-typing', channel: chat, data: { a: 1 } },
  ],
  [
    '{"event":"client-typing","channel":"private-chat"}',
    { kind: 'client_event', event: 'client-typing', channel: chat, data: undefined },
  ],
])('RT-1 understands %s', (text, frame) => {
  expect(decodeClientFrame(text)).toEqual({ ok: true, frame });
});

test.each<[string, FrameErrorReason]>([
  ['', 'not_json'],
  ['{', 'not_json'],
  ['['.repeat(60_000), 'not_json'],
  ['null', 'bad_shape'],
  ['[]', 'bad_shape'],
  ['"pusher:ping"', 'bad_shape'],
  ['7', 'bad_shape'],
  ['{}', 'bad_event'],
  ['{"event":7}', 'bad_event'],
  ['{"event":""}', 'bad_event'],
  ['{"event":["pusher:ping"]}', 'bad_event'],
  [`{"event":"client-${'a'.repeat(200)}","channel":"private-chat"}`, 'bad_event'],
  ['{"event":"pusher:connection_established"}', 'bad_event'],
  ['{"event":"pusher_internal:member_added","channel":"presence-a"}', 'bad_event'],
  ['{"event":"App.Events.Sent","channel":"private-chat"}', 'bad_event'],
  ['{"event":"pusher:subscribe"}', 'bad_data'],
  ['{"event":"pusher:subscribe","data":"news"}', 'bad_data'],
  ['{"event":"pusher:subscribe","data":[]}', 'bad_data'],
  ['{"event":"pusher:subscribe","data":{}}', 'bad_channel'],
  ['{"event":"pusher:subscribe","data":{"channel":["news"]}}', 'bad_channel'],
  ['{"event":"pusher:subscribe","data":{"channel":"a b"}}', 'bad_channel'],
  ['{"event":"pusher:subscribe","data":{"channel":"news","auth":7}}', 'bad_data'],
  ['{"event":"pusher:subscribe","data":{"channel":"news","channel_data":{}}}', 'bad_data'],
  ['{"event":"pusher:unsubscribe","data":null}', 'bad_data'],
  ['{"event":"pusher:unsubscribe","data":{"channel":null}}', 'bad_channel'],
  ['{"event":"pusher:signin","data":{"auth":"k:s"}}', 'bad_data'],
  ['{"event":"pusher:signin","data":{"auth":{},"user_data":"{}"}}', 'bad_data'],
  ['{"event":"client-typing"}', 'bad_channel'],
  ['{"event":"client-typing","channel":{}}', 'bad_channel'],
])('A42 refuses %.80s: %s', (text, reason) => {
  const decoded = decodeClientFrame(text);
  expect(decoded.ok ? null : decoded.error.reason).toBe(reason);
});

test('A42 no text makes the decoder throw', () => {
  const frameLike = fc
    .record(
      {
        event: fc.oneof(fc.constantFrom('pusher:subscribe', 'pusher:signin', 'client-a'), fc.jsonValue()),
        channel: fc.jsonValue(),
        data: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), frameLike), (text) => {
      const decoded = decodeClientFrame(text);
      expect(decoded.ok || decoded.error.message.length > 0).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('RT-1 any JSON value arrives as it was sent, as JSON text inside the frame', () => {
  const name = fc.stringMatching(/^[a-z.]{1,20}$/);
  fc.assert(
    fc.property(name, name, fc.jsonValue(), (event, channel, data) => {
      const frame = JSON.parse(encodeServerFrame({ event, channel, data }));
      expect(frame).toEqual({ event, channel, data: expect.any(String) });
      expect(JSON.parse(frame.data)).toEqual(JSON.parse(JSON.stringify(data)));
    }),
  );
});

test('RT-10 a frame put together from a payload that is written once is the frame written whole', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), fc.jsonValue(), (event, channel, data) => {
      const { text, bytes, frameEnd } = encodePayload(JSON.stringify(data));
      const whole = encodeServerFrame({ event, channel, text });
      expect(encodeFrameStart(event, channel) + frameEnd).toBe(whole);
      expect(textFrame(encodeFrameStart(event, channel), frameEnd)).toEqual(textFrame(whole));
      expect(bytes).toBe(Buffer.byteLength(text));
    }),
  );
});

test('RT-1 a client event of any data is read as it was sent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const decoded = decodeClientFrame(JSON.stringify({ event: 'client-a', data, channel: 'private-chat' }));
      expect(decoded.ok && decoded.frame).toEqual({
        kind: 'client_event',
        event: 'client-a',
        channel: chat,
        data: JSON.parse(JSON.stringify(data)),
      });
    }),
  );
});

test('RT-1 text data goes unchanged, with the user that it is from', () => {
  const frame = JSON.parse(encodeServerFrame({ event: 'e', channel: 'c', text: 'not json', userId: 'u1' }));
  expect(frame).toEqual({ event: 'e', channel: 'c', data: 'not json', user_id: 'u1' });
});

test('RT-1 an error frame carries its data as an object', () => {
  expect(JSON.parse(encodeErrorFrame(4200, 'No'))).toEqual({
    event: 'pusher:error',
    data: { code: 4200, message: 'No' },
  });
});

test('A42 an event name has at most 200 characters', () => {
  const named = (length: number) => `client-${'a'.repeat(length - 'client-'.length)}`;
  const reasonOf = (event: string) => {
    const decoded = decodeClientFrame(JSON.stringify({ event, data: {}, channel: 'private-chat' }));
    return decoded.ok ? null : decoded.error.reason;
  };
  expect([reasonOf(named(200)), reasonOf(named(201))]).toEqual([null, 'bad_event']);
  expect([1, 200, 201].map((length) => isEventName('a'.repeat(length)))).toEqual([true, true, false]);
  expect(isEventName('')).toBe(false);
});

test('A42 what is null or empty in a subscription is as if it were not said; auth has at most 512 characters', () => {
  const subscribing = (auth: unknown, channel_data: unknown) =>
    decodeClientFrame(JSON.stringify({ event: 'pusher:subscribe', data: { channel: 'news', auth, channel_data } }));
  for (const nothing of [null, '', undefined]) {
    expect(subscribing(nothing, nothing)).toMatchObject({ ok: true, frame: { auth: null, channelData: null } });
  }
  expect(subscribing('a'.repeat(512), null)).toMatchObject({ ok: true });
  expect(subscribing('a'.repeat(513), null)).toMatchObject({ ok: false, error: { reason: 'bad_data', code: 4200 } });
});
