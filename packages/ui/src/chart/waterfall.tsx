import './styles/chart.css';
import { max, min } from 'd3-array';
import type { CSSProperties } from 'react';
import { classNames } from '#/class-names.ts';

export type WaterfallStep = {
  key: string;
  label: string;
  /** Of a total: the number itself; else how many came or went. Null: not given yet. */
  value: number | null;
  kind: 'total' | 'in' | 'out';
};

export type WaterfallProps = {
  steps: readonly WaterfallStep[];
  /** What is counted: 'patients'. */
  unitLabel: string;
};

/** A balance as a picture: from the opening over what came and went to the closing. */
export function Waterfall({ steps, unitLabel }: WaterfallProps) {
  const bars = stack(steps);
  const low = Math.min(0, min(bars, ({ from, to }) => Math.min(from, to)) ?? 0);
  const high = Math.max(1, max(bars, ({ from, to }) => Math.max(from, to)) ?? 1);
  const share = (size: number) => `${(100 * size) / (high - low)}%`;
  const text = steps.map((step) => `${step.label} ${formatValue(step)}`).join(', ');
  return (
    <div className="wf-box">
      <div
        className={classNames('wf', low < 0 && 'has-below')}
        role="img"
        aria-label={`${text} ${unitLabel}`}
        style={zeroAt(share(-low))}
      >
        {bars.map(({ step, from, to }) => (
          <div className="wf-step" key={step.key}>
            <div className="wf-track">
              <div
                className={classNames(
                  'wf-bar',
                  `is-${step.kind}`,
                  step.value === null && 'is-missing',
                  Math.max(from, to) <= 0 && to < 0 && 'is-below',
                )}
                style={place(share(Math.min(from, to) - low), share(Math.abs(to - from)))}
              >
                <span className="wf-value">{formatValue(step)}</span>
              </div>
              <div className="wf-level" style={place(share(to - low))} />
            </div>
            <span className="wf-label">{step.label}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Where a part begins and how far it reaches; which way is up is the style sheet's. */
function place(from: string, size = '0%'): CSSProperties & Record<'--from' | '--size', string> {
  return { '--from': from, '--size': size };
}

/** Where nobody is: what is less hangs below that line. */
function zeroAt(zero: string): CSSProperties & Record<'--zero', string> {
  return { '--zero': zero };
}

type Bar = { readonly step: WaterfallStep; readonly from: number; readonly to: number };

function stack(steps: readonly WaterfallStep[]): Bar[] {
  const bars: Bar[] = [];
  let level = 0;
  for (const step of steps) {
    const value = step.value ?? 0;
    const from = step.kind === 'total' ? 0 : level;
    // A total that is not known stands at what has been counted so far.
    if (step.kind === 'total') level = step.value ?? level;
    else level += step.kind === 'in' ? value : -value;
    bars.push({ step, from, to: level });
  }
  return bars;
}

function formatValue({ value, kind }: WaterfallStep): string {
  if (value === null) return '–';
  if (kind === 'total') return value < 0 ? `−${-value}` : `${value}`;
  if (value === 0) return '0';
  return kind === 'in' ? `+${value}` : `−${value}`;
}
