import { describe, expect, it } from 'vitest';
import {
  emptyUpload,
  FIRST_PART,
  LARGEST_PART,
  reduceUpload,
  SMALLEST_PART,
  type UploadEffect,
  type UploadEvent,
  type UploadFailure,
  type UploadState,
} from './upload-reducer.ts';

const MB = 1024 * 1024;

function play(state: UploadState, ...events: readonly UploadEvent[]) {
  return events.reduce<{ state: UploadState; effects: readonly UploadEffect[] }>(
    (now, event) => reduceUpload(now.state, event),
    { state, effects: [] },
  );
}

const failed = (failure: UploadFailure, retryAfterMs: number | null = null): UploadEvent => ({
  ...{ type: 'failed', failure, retryAfterMs },
  ...{ error: new Error(failure), random: 0 },
});
const start: UploadEvent = { type: 'start' };
const begun: UploadEvent = { type: 'begun', uploadId: 'u' };

describe('an upload', () => {
  it('CHAT-14 begins, keeps its address, and is ready with its last part', () => {
    const first = play(emptyUpload(100), start);
    expect(first.effects).toEqual([{ type: 'begin' }]);
    const sending = play(first.state, begun);
    expect(sending.effects).toEqual([
      { type: 'keep', uploadId: 'u' },
      { type: 'send', uploadId: 'u', from: 0, to: 100 },
    ]);
    expect(play(sending.state, { type: 'part-sent', to: 100, ms: 9 })).toMatchObject({
      state: { phase: 'ready', offset: 100 },
      effects: [],
    });
  });

  it('CHAT-14 sends parts of about five seconds, whatever the network', () => {
    const sending = play(emptyUpload(100 * MB), start, begun).state;
    const part = (state: UploadState, ms: number) =>
      play(state, { type: 'part-sent', to: state.offset + state.partBytes, ms }).state;
    expect(sending.partBytes).toBe(FIRST_PART);
    expect(part(sending, 10).partBytes).toBe(4 * FIRST_PART);
    expect(part(sending, 20_000).partBytes).toBe(FIRST_PART / 4);
    let fast = sending;
    for (let n = 0; n < 9; n += 1) fast = part(fast, 1);
    expect(fast.partBytes).toBe(LARGEST_PART);
    let slow = sending;
    for (let n = 0; n < 9; n += 1)
      slow = play(slow, failed('temporary'), start, { type: 'asked', offset: 0, isReady: false }).state;
    expect(slow.partBytes).toBe(SMALLEST_PART);
  });

  it('CHAT-14 asks after a break how far it has come, and goes on from there', () => {
    const broken = play(emptyUpload(3 * MB), start, begun, failed('temporary', 7_000));
    expect(broken).toMatchObject({ state: { phase: 'resting' }, effects: [{ type: 'retry', delayMs: 7_000 }] });
    const again = play(broken.state, start);
    expect(again.effects).toEqual([{ type: 'ask', uploadId: 'u' }]);
    const on = play(again.state, { type: 'asked', offset: 1_000, isReady: false });
    expect(on.effects).toEqual([{ type: 'send', uploadId: 'u', from: 1_000, to: 1_000 + FIRST_PART / 2 }]);
  });

  it('CHAT-14 an upload that is whole and not ready is sent a part without bytes', () => {
    const asking = play(emptyUpload(10, 'u'), start).state;
    expect(play(asking, { type: 'asked', offset: 10, isReady: false }).effects).toEqual([
      { type: 'send', uploadId: 'u', from: 10, to: 10 },
    ]);
    expect(play(asking, { type: 'asked', offset: 10, isReady: true }).state.phase).toBe('ready');
  });

  it('CHAT-14 begins anew where the server has given it up, but not for ever', () => {
    let now = play(emptyUpload(10, 'old'), start, failed('gone'));
    expect(now.effects).toEqual([{ type: 'keep', uploadId: null }, { type: 'begin' }]);
    for (let n = 0; n < 3; n += 1) now = play(now.state, begun, failed('gone'));
    expect(now.state.phase).toBe('refused');
  });

  it('CHAT-14 asks where it is when the server is at another place', () => {
    expect(play(emptyUpload(10), start, begun, failed('moved'))).toMatchObject({
      state: { phase: 'asking' },
      effects: [{ type: 'ask', uploadId: 'u' }],
    });
  });

  it('CHAT-24 a refusal ends it until somebody tries again; what comes late changes nothing', () => {
    const refused = play(emptyUpload(10), start, failed('final')).state;
    expect(refused.phase).toBe('refused');
    expect(play(refused, begun, { type: 'part-sent', to: 10, ms: 1 }, failed('temporary')).state).toBe(refused);
    expect(play(refused, start).effects).toEqual([{ type: 'begin' }]);
    expect(play(emptyUpload(10), start, failed('gone')).state.phase).toBe('refused');
  });
});
