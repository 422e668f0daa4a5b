import type { RecorderDeps } from './recorder.ts';

/** What browsers record speech in, the smallest first; one that knows none of them chooses itself. */
const FORMATS = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4'];
/** Speech is understood well at this, and five minutes are about a megabyte. */
const BITS_PER_SECOND = 32_000;

/** Whether this browser can record at all. */
export function mayRecord(): boolean {
  return typeof MediaRecorder === 'function' && typeof navigator.mediaDevices?.getUserMedia === 'function';
}

export const browserRecorder: RecorderDeps = {
  openMicrophone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
  createRecorder(stream) {
    const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
    return new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) });
  },
  createMeter(stream) {
    if (typeof AudioContext !== 'function') return null;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Uint8Array(analyser.fftSize);
    return {
      level() {
        analyser.getByteTimeDomainData(samples);
        const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0);
        return Math.round((loudest / 128) * 100);
      },
      close: () => void context.close(),
    };
  },
  now: () => performance.now(),
};
