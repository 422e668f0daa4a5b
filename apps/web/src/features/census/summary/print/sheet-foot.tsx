import { exactRatio } from '@wardline/census/ratio.ts';
import { formatCount, formatPercent } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import type { SheetContext } from './sheet-context.ts';

interface SheetFootProps {
  readonly context: SheetContext;
  readonly reported: number;
  readonly expected: number;
  /** The log as it stood when that day was signed; null when it was not. */
  readonly logHead: { readonly date: string; readonly head: string } | null;
  /** SHA-256 of what was signed, as the log has it. */
  readonly figuresHash?: string | null;
}

/** From when, by whom, how whole, and the head of the log that lets anybody check the sheet later. */
export function SheetFoot({ context: { facility, by, at }, reported, expected, logHead, figuresHash }: SheetFootProps) {
  const share = formatPercent(exactRatio(reported, expected, { factor: 100 }));
  return (
    <>
      <p>
        Generated {momentIn(facility.time_zone, at.getTime())} ({facility.time_zone}) by {by}. Complete:{' '}
        {formatCount(reported)} of {formatCount(expected)} reports, {share}
        {reported < expected && '; figures without a report are marked'}.
      </p>
      <p>
        {logHead === null ? (
          'Not signed, so there is no log head.'
        ) : (
          <>
            Log head at the signature of {shortDay(logHead.date)}: <span className="mono">{logHead.head}</span>
            {figuresHash && (
              <>
                . SHA-256 of what was signed: <span className="mono">{figuresHash}</span>
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}
