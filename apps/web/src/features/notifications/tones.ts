import type { MessagePriority, Sound } from '@wardline/contract/chat/decide-notification.ts';

interface Note {
  readonly hertz: number;
  readonly atS: number;
  readonly lastsS: number;
}

/** Two short notes that rise for what is routine; three that repeat for what is urgent. */
const NOTES: Readonly<Record<MessagePriority, readonly Note[]>> = {
  routine: [
    { hertz: 660, atS: 0, lastsS: 0.12 },
    { hertz: 880, atS: 0.13, lastsS: 0.18 },
  ],
  urgent: [0, 0.35, 0.7].flatMap((atS) => [
    { hertz: 988, atS, lastsS: 0.14 },
    { hertz: 740, atS: atS + 0.15, lastsS: 0.14 },
  ]),
};
const VOLUME: Readonly<Record<Exclude<Sound, 'off'>, number>> = { soft: 0.12, loud: 0.6 };

let context: AudioContext | null = null;

/** Browsers let a page sound only after somebody has pressed something in it. */
export function unlockTones(): void {
  if (!('AudioContext' in window)) return;
  context ??= new AudioContext();
  context.resume().catch(() => undefined);
}

/** True where it is heard, as far as the page can tell. */
export function playTones(priority: MessagePriority, sound: Sound): boolean {
  if (sound === 'off' || context?.state !== 'running') return false;
  const { destination, currentTime } = context;
  for (const { hertz, atS, lastsS } of NOTES[priority]) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    const startsAt = currentTime + atS;
    tone.frequency.value = hertz;
    // Without the ramps each note would click.
    gain.gain.setValueAtTime(0, startsAt);
    gain.gain.linearRampToValueAtTime(VOLUME[sound], startsAt + 0.015);
    gain.gain.linearRampToValueAtTime(0, startsAt + lastsS);
    tone.connect(gain).connect(destination);
    tone.start(startsAt);
    tone.stop(startsAt + lastsS);
  }
  return true;
}
