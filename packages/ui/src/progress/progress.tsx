import { formatPercent } from '@wardline/format/numbers.ts';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId } from 'react';
import { Button, type ButtonColor } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { readProgress } from '#/progress/progress-value.ts';

export type ProgressSize = '2xs' | 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl';

export type ProgressProps = {
  /** How far; null or nothing while nobody can say. */
  value?: number | null | undefined;
  max?: number | undefined;
  /** 1, 2, 4, 8 (default), 12, 16, 20 px high. */
  size?: ProgressSize | undefined;
  color?: ButtonColor | undefined;
  /** What is being done, for who cannot see what stands around a bar without a label. */
  name?: string | undefined;
  /** What is being done, over the bar. */
  label?: ReactNode;
  /** Writes '64 %' over the bar's right end while it is known. */
  hasStatus?: boolean | undefined;
  /** With it there is a button that stops the work. */
  onCancel?: (() => void) | undefined;
  cancelLabel?: string | undefined;
  /** Takes the words about an invalid value or max. */
  report?: ((complaint: string) => void) | undefined;
};

/** How far a long work is, with its words, its number and the way to stop it. */
export function Progress(props: ProgressProps) {
  const { value, max, size = 'md', color = 'primary', name, label, hasStatus = false, onCancel } = props;
  const { cancelLabel = 'Cancel', report = reportToConsole } = props;
  const labelId = useId();
  const reading = readProgress(value, max);
  const complaints = reading.complaints.join('\n');
  useEffect(() => {
    if (complaints !== '') for (const complaint of complaints.split('\n')) report(complaint);
  }, [complaints, report]);

  const hasLabel = label !== undefined;
  const status = hasStatus && reading.percent !== null ? formatPercent(reading.percent) : undefined;
  const bar = (
    <span
      className={classNames(
        'progress',
        size !== 'md' && `progress-${size}`,
        color !== 'primary' && `progress-${color}`,
        reading.percent === null && 'is-busy',
      )}
      role="progressbar"
      aria-label={name ?? (reading.percent === null ? 'In progress' : formatPercent(reading.percent))}
      aria-valuemin={0}
      aria-valuemax={reading.max}
      data-state={reading.state}
      data-max={reading.max}
      {...(reading.value === null ? {} : { 'aria-valuenow': reading.value, 'data-value': reading.value })}
      {...(hasLabel ? { 'aria-describedby': labelId } : {})}
    >
      <span
        data-state={reading.state}
        style={reading.percent === null ? undefined : { transform: `translateX(-${100 - reading.percent}%)` }}
      />
    </span>
  );
  if (!hasLabel && status === undefined && !onCancel) return bar;
  return (
    <div className="progress-block">
      <div className="progress-text">
        <span className="grow" id={labelId}>
          {label}
        </span>
        {status !== undefined && (
          <span className="num muted" aria-hidden="true">
            {status}
          </span>
        )}
      </div>
      {bar}
      {onCancel && (
        <Button variant="ghost" color="neutral" size="sm" icon={X} onClick={() => onCancel()}>
          {cancelLabel}
        </Button>
      )}
    </div>
  );
}

function reportToConsole(complaint: string): void {
  // biome-ignore lint/suspicious/noConsole: the words are for whoever wrote the value
  console.error(complaint);
}
