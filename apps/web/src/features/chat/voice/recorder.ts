import { createSource, type Observable } from '@wardline/client/observable.ts';
import { VOICE_MAX_MS } from '@wardline/contract/chat/attachments.ts';
import { markVoice } from '#/features/chat/core/voice-file.ts';
import { peaksOf } from './peaks.ts';

export type RecorderState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'refused'; readonly reason: string }
  | {
      readonly phase: 'recording' | 'paused' | 'ending';
      readonly elapsedMs: number;
      readonly levels: readonly number[];
    }
  | { readonly phase: 'done'; readonly file: File; readonly voice: { duration_ms: number; peaks: number[] | null } };

/** How loud it is just now. */
interface Meter {
  /** 0 to 100. */
  level(): number;
  close(): void;
}

export interface RecorderDeps {
  readonly openMicrophone: () => Promise<MediaStream>;
  readonly createRecorder: (stream: MediaStream) => MediaRecorder;
  /** Null where loudness cannot be measured. */
  readonly createMeter: (stream: MediaStream) => Meter | null;
  readonly now: () => number;
}

export interface Recorder extends Observable<RecorderState> {
  /** Asks for the microphone and begins. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Ends it: what was said can be listened to. */
  stop(): void;
  /** Lets go of the microphone and of what was said. */
  close(): void;
}

const TICK_MS = 100;

/** Records one voice note. It ends by itself at the longest that one may be. */
export function createVoiceRecorder(deps: RecorderDeps): Recorder {
  const state = createSource<RecorderState>({ phase: 'asking' });
  const parts: Blob[] = [];
  const levels: number[] = [];
  let isClosed = false;
  let stream: MediaStream | null = null;
  let recorder: MediaRecorder | null = null;
  let meter: Meter | null = null;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let heardMs = 0;
  let tickedAt = 0;

  /** Only while it records: what is said in a pause is neither kept nor shown. */
  const tick = (): void => {
    const now = deps.now();
    if (state.get().phase === 'recording') {
      heardMs += now - tickedAt;
      if (meter) levels.push(meter.level());
      state.set({ phase: 'recording', elapsedMs: heardMs, levels: [...levels] });
    }
    tickedAt = now;
    if (heardMs >= VOICE_MAX_MS) stop();
  };

  const letGo = (): void => {
    clearInterval(ticking);
    meter?.close();
    for (const track of stream?.getTracks() ?? []) track.stop();
    [stream, meter] = [null, null];
  };

  const finish = (): void => {
    letGo();
    if (isClosed) return;
    const type = (recorder?.mimeType || parts[0]?.type || 'audio/webm').split(';')[0] ?? '';
    const name = `Voice note.${ENDINGS[type] ?? 'weba'}`;
    const voice = { duration_ms: Math.max(1, Math.round(heardMs)), peaks: peaksOf(levels) };
    const file = markVoice(new File(parts, name, { type }), voice);
    state.set(file.size === 0 ? { phase: 'refused', reason: NOTHING } : { phase: 'done', file, voice });
  };

  function stop(): void {
    const { phase } = state.get();
    if (phase !== 'recording' && phase !== 'paused') return;
    state.set({ phase: 'ending', elapsedMs: heardMs, levels });
    recorder?.stop();
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    async start() {
      try {
        stream = await deps.openMicrophone();
        if (isClosed) return letGo();
        recorder = deps.createRecorder(stream);
      } catch (error) {
        letGo();
        if (!isClosed) state.set({ phase: 'refused', reason: reasonFor(error) });
        return;
      }
      meter = deps.createMeter(stream);
      recorder.ondataavailable = ({ data }) => void (data.size > 0 && parts.push(data));
      recorder.onstop = finish;
      // The device was pulled out or taken away: what was said until then is kept.
      recorder.onerror = () => stop();
      // In pieces, so that a browser that runs out of memory has given most of it away.
      recorder.start(1_000);
      tickedAt = deps.now();
      state.set({ phase: 'recording', elapsedMs: 0, levels: [] });
      ticking = setInterval(tick, TICK_MS);
    },
    pause() {
      if (state.get().phase !== 'recording') return;
      tick();
      recorder?.pause();
      state.set({ phase: 'paused', elapsedMs: heardMs, levels: [...levels] });
    },
    resume() {
      if (state.get().phase !== 'paused') return;
      tickedAt = deps.now();
      recorder?.resume();
      state.set({ phase: 'recording', elapsedMs: heardMs, levels: [...levels] });
    },
    stop,
    close() {
      isClosed = true;
      if (recorder && recorder.state !== 'inactive') recorder.stop();
      letGo();
    },
  };
}

const ENDINGS: Readonly<Record<string, string>> = { 'audio/webm': 'weba', 'audio/ogg': 'ogg', 'audio/mp4': 'm4a' };
const NOTHING = 'The microphone gave no sound. Check it and try again.';

function reasonFor(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return 'This browser does not let Wardline use the microphone. Allow it in the settings beside the address, then try again.';
  }
  if (name === 'NotFoundError') return 'No microphone was found. Connect one and try again.';
  if (name === 'NotReadableError') return 'Another program uses the microphone. Close it and try again.';
  return 'Nothing can be recorded in this browser now.';
}
