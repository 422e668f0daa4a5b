interface WaveformProps {
  /** 0 to 100 each; null draws a plain bar. */
  readonly peaks: readonly number[] | null;
  /** 0 to 1: what has been played. */
  readonly played: number;
}

const STEP = 4;
const BAR = 2;
const HEIGHT = 32;
const LEAST = 2;

/** The shape of a recording. It says nothing to who cannot see it: the slider over it does. */
export function Waveform({ peaks, played }: WaveformProps) {
  if (peaks === null) {
    return (
      <svg className="voice-wave" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect x={0} y={HEIGHT / 2 - 1} width={100} height={2} />
        <rect className="is-played" x={0} y={HEIGHT / 2 - 1} width={played * 100} height={2} />
      </svg>
    );
  }
  return (
    <svg
      className="voice-wave"
      viewBox={`0 0 ${peaks.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {peaks.map((peak, place) => {
        const height = Math.max(LEAST, (peak / 100) * HEIGHT);
        const isPlayed = place < Math.round(played * peaks.length);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={place}
            {...(isPlayed && { className: 'is-played' })}
            x={place * STEP}
            y={(HEIGHT - height) / 2}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}
