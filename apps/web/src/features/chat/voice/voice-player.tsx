import type { Voice } from '@wardline/contract/chat/attachments.ts';
import { formatPlayTime } from '@wardline/format/play-time.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Waveform } from './waveform.tsx';
import './voice.css';

const SPEEDS = [
  { rate: 1, label: '1×' },
  { rate: 1.5, label: '1.5×' },
  { rate: 2, label: '2×' },
] as const;
const OFFLINE = 'Not available offline';
const GONE = 'This voice note can’t be played now';

interface VoicePlayerProps {
  readonly voice: Voice;
  /** What it is called, for who cannot see it. */
  readonly label: string;
  /** Where it can be loaded from just now; null where it cannot. An address holds for a minute. */
  readonly load: () => Promise<string | null>;
}

/** Plays a voice note: on and off, to any place of it by keys or finger, faster. Only one plays at a time. */
export function VoicePlayer({ voice, label, load }: VoicePlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [atMs, setAtMs] = useState(0);
  const [speed, setSpeed] = useState(0);
  const [error, setError] = useState<string | null>(null);
  /** Its address may have ended since it was loaded: then it is asked for once more. */
  const mayAskAgain = useRef(false);
  const { duration_ms: lengthMs, peaks } = voice;
  const { rate, label: speedLabel } = SPEEDS[speed] ?? SPEEDS[0];

  useEffect(() => {
    const element = audio.current;
    return () => {
      element?.pause();
      if (element?.src.startsWith('blob:')) URL.revokeObjectURL(element.src);
    };
  }, []);

  const begin = async (fromMs: number) => {
    const element = audio.current;
    if (!element) return;
    setError(null);
    if (!element.src) {
      const address = await load().catch(() => null);
      if (address === null) {
        setError(navigator.onLine ? GONE : OFFLINE);
        return;
      }
      element.src = address;
    }
    element.currentTime = fromMs / 1000;
    element.playbackRate = rate;
    pauseOthers(element);
    // A pause that comes before it has begun is no fault; what cannot be loaded is heard of by its event.
    await element.play().catch(() => undefined);
  };
  const press = () => {
    if (isPlaying) audio.current?.pause();
    else void begin(atMs >= lengthMs ? 0 : atMs);
  };
  const seek = (toMs: number) => {
    setAtMs(toMs);
    if (audio.current?.src) audio.current.currentTime = toMs / 1000;
  };
  const onError = () => {
    const element = audio.current;
    if (!element?.getAttribute('src')) return;
    element.removeAttribute('src');
    setIsPlaying(false);
    if (mayAskAgain.current) {
      mayAskAgain.current = false;
      void begin(atMs);
    } else setError(navigator.onLine ? GONE : OFFLINE);
  };
  const faster = () => {
    const next = (speed + 1) % SPEEDS.length;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = SPEEDS[next]?.rate ?? 1;
  };

  return (
    <div className="voice">
      <Button
        {...{ variant: 'ghost', color: 'primary', iconOnly: true }}
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? `Pause ${label}` : `Play ${label}`}
        onClick={press}
      />
      <span className="voice-line">
        <Waveform peaks={peaks} played={Math.min(1, atMs / lengthMs)} />
        <input
          type="range"
          min={0}
          max={lengthMs}
          step={1_000}
          value={Math.min(atMs, lengthMs)}
          aria-label={`Place in ${label}`}
          aria-valuetext={`${formatPlayTime(atMs)} of ${formatPlayTime(lengthMs)}`}
          onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
        />
      </span>
      <span className={error ? 'voice-time c-error' : 'voice-time num'} role={error ? 'alert' : undefined}>
        {error ?? formatPlayTime(isPlaying || atMs > 0 ? atMs : lengthMs)}
      </span>
      <Button variant="ghost" color="neutral" size="sm" label={`Speed: ${speedLabel}`} onClick={faster}>
        {speedLabel}
      </Button>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said */}
      <audio
        ref={audio}
        preload="none"
        onPlaying={() => {
          mayAskAgain.current = true;
          setIsPlaying(true);
        }}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAtMs(Math.min(lengthMs, Math.round(currentTarget.currentTime * 1000)))}
        onEnded={() => {
          setIsPlaying(false);
          setAtMs(0);
        }}
        onError={onError}
      />
    </div>
  );
}

/** Of all that sounds on the page one is heard: two voices at once are none. */
function pauseOthers(one: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('audio, video')) if (other !== one) other.pause();
}
