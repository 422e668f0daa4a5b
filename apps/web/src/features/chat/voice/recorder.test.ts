import { VOICE_MAX_MS } from '@wardline/contract/chat/attachments.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { voiceOf } from '#/features/chat/core/voice-file.ts';
import { peaksOf } from './peaks.ts';
import { createVoiceRecorder } from './recorder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A microphone that hears ever louder, and gives one byte a second. */
function fakeMicrophone({ mimeType = 'audio/webm;codecs=opus', says = 'x' } = {}) {
  const track = { stop: vi.fn() };
  const stream = { getTracks: () => [track] } as unknown as MediaStream;
  const media = {
    ...{ mimeType, state: 'inactive', start: vi.fn(), pause: vi.fn(), resume: vi.fn() },
    ondataavailable: null as ((event: { data: Blob }) => void) | null,
    onstop: null as (() => void) | null,
    onerror: null as (() => void) | null,
    stop() {
      media.ondataavailable?.({ data: new Blob([says]) });
      media.onstop?.();
    },
  };
  media.start.mockImplementation(() => {
    media.state = 'recording';
  });
  let loud = 0;
  const meter = {
    level: () => {
      loud += 1;
      return Math.min(100, loud);
    },
    close: vi.fn(),
  };
  const openMicrophone = vi.fn(async () => stream);
  const deps = {
    ...{ openMicrophone, createMeter: () => meter, now: () => Date.now() },
    createRecorder: () => media as unknown as MediaRecorder,
  };
  return { deps, media, track, meter };
}

const done = (recorder: ReturnType<typeof createVoiceRecorder>) => {
  const state = recorder.get();
  if (state.phase !== 'done') throw new Error(`it is ${state.phase}`);
  return state;
};

describe('a recording', () => {
  it('CHAT-14 counts and measures what is said, not the pauses, and is a file with its shape', async () => {
    const { deps, track, meter } = fakeMicrophone();
    const recorder = createVoiceRecorder(deps);
    expect(recorder.get().phase).toBe('asking');
    await recorder.start();
    vi.advanceTimersByTime(2_000);
    recorder.pause();
    vi.advanceTimersByTime(60_000);
    expect(recorder.get()).toMatchObject({ phase: 'paused', elapsedMs: 2_000 });
    recorder.resume();
    vi.advanceTimersByTime(1_000);
    expect(recorder.get()).toMatchObject({ phase: 'recording', elapsedMs: 3_000 });
    recorder.stop();
    const { file, voice } = done(recorder);
    expect([file.name, file.type, file.size]).toEqual(['Voice note.weba', 'audio/webm', 1]);
    expect(voice.duration_ms).toBe(3_000);
    expect(voice.peaks).toHaveLength(48);
    expect(voiceOf(file)).toEqual(voice);
    expect([track.stop.mock.calls.length, meter.close.mock.calls.length]).toEqual([1, 1]);
  });

  it('CHAT-14 ends by itself after five minutes, with all that was said', async () => {
    const { deps } = fakeMicrophone({ mimeType: 'audio/mp4' });
    const recorder = createVoiceRecorder(deps);
    await recorder.start();
    vi.advanceTimersByTime(VOICE_MAX_MS + 5_000);
    const { file, voice } = done(recorder);
    expect(voice.duration_ms).toBe(VOICE_MAX_MS);
    expect(file.name).toBe('Voice note.m4a');
  });

  it('CHAT-14 that is given up lets go of the microphone and keeps nothing, also while the question stands', async () => {
    const { deps, track } = fakeMicrophone();
    const recorder = createVoiceRecorder(deps);
    await recorder.start();
    recorder.close();
    expect(track.stop).toHaveBeenCalled();
    expect(recorder.get().phase).not.toBe('done');
    const early = createVoiceRecorder(deps);
    const starting = early.start();
    early.close();
    await starting;
    expect(track.stop).toHaveBeenCalledTimes(2);
    expect(early.get().phase).toBe('asking');
  });

  it.each([
    ['NotAllowedError', 'Allow it'],
    ['NotFoundError', 'No microphone'],
    ['NotReadableError', 'Another program'],
    ['TypeError', 'Nothing can be recorded'],
  ])('CHAT-14 that cannot begin (%s) says why', async (name, text) => {
    const { deps } = fakeMicrophone();
    deps.openMicrophone.mockRejectedValue(Object.assign(new Error('no'), { name }));
    const recorder = createVoiceRecorder(deps);
    await recorder.start();
    expect(recorder.get()).toMatchObject({ phase: 'refused', reason: expect.stringContaining(text) });
  });

  it('CHAT-14 of nothing is none', async () => {
    const { deps } = fakeMicrophone({ says: '' });
    const recorder = createVoiceRecorder(deps);
    await recorder.start();
    vi.advanceTimersByTime(500);
    recorder.stop();
    expect(recorder.get()).toMatchObject({ phase: 'refused', reason: expect.stringContaining('no sound') });
  });
});

it('CHAT-14 the shape of a recording has 48 steps however long it is, the loudest at the top, and silence stays low', () => {
  for (const count of [1, 7, 48, 49, 3_000]) {
    const peaks = peaksOf(Array.from({ length: count }, (_none, at) => (at === count - 1 ? 40 : 10)));
    expect(peaks).toHaveLength(48);
    expect(peaks?.at(-1)).toBe(100);
    if (count > 1) expect(peaks?.[0]).toBe(25);
  }
  expect(peaksOf([1, 0, 1])?.every((peak) => peak <= 13)).toBe(true);
  expect(peaksOf([])).toBeNull();
});
