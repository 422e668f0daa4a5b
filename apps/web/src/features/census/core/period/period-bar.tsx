import './period-bar.css';
import { type CensusDate, isCalendarDate } from '@wardline/census/calendar.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { Calendar, ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatPeriod, type Period, type PeriodKind, periodAround, readPeriod, stepPeriod } from './period.ts';

interface PeriodBarProps {
  readonly period: Period;
  /** No census has been taken after it. */
  readonly newest: string;
  readonly onChange: (period: Period) => void;
}

const KINDS: ReadonlyArray<{ value: PeriodKind; label: string }> = [
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'year', label: 'Year' },
  { value: 'range', label: 'Range' },
];

/** What the summary is about, and the way to the one before and after. */
export function PeriodBar({ period, newest, onChange }: PeriodBarProps) {
  const last = period.to < newest ? period.to : newest;
  const turnTo = (kind: PeriodKind) =>
    onChange(kind === 'range' ? { ...period, kind, to: last } : periodAround(kind, last));
  return (
    <div className="period-ctl">
      <Segments label="Period" value={period.kind} onValueChange={turnTo} choices={KINDS} />
      <PeriodSteps period={period} newest={newest} onChange={onChange} />
    </div>
  );
}

/** The period, and the one before and after it. */
export function PeriodSteps({ period, newest, onChange }: PeriodBarProps) {
  const before = stepPeriod(period, -1);
  const after = stepPeriod(period, 1);
  const isNewest = after.from > newest;
  return (
    <div className="row row-1 period-dates">
      <Button
        variant="outline"
        color="neutral"
        iconOnly
        icon={ChevronLeft}
        label={formatPeriod(before)}
        onClick={() => onChange(before)}
      />
      {period.kind === 'range' ? (
        <RangeFields period={period} newest={newest} onChange={onChange} />
      ) : (
        <DateButton period={period} newest={newest} onChange={onChange} />
      )}
      <Button
        variant="outline"
        color="neutral"
        iconOnly
        icon={ChevronRight}
        label={isNewest ? `${formatPeriod(after)}, not begun yet` : formatPeriod(after)}
        disabled={isNewest}
        onClick={() => onChange(after)}
      />
    </div>
  );
}

/** Opens the browser's own calendar; the period is the one that the chosen date lies in. */
function DateButton({ period, newest, onChange }: PeriodBarProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="period-date">
      <Button
        variant="outline"
        color="neutral"
        icon={Calendar}
        isFullWidth
        label={`${formatPeriod(period)}, choose another date`}
        onClick={() => input.current?.showPicker()}
      >
        {formatPeriod(period)}
      </Button>
      <input
        ref={input}
        className="period-date-input"
        type="date"
        tabIndex={-1}
        aria-label="Census date"
        aria-hidden="true"
        value={period.from}
        max={newest}
        onChange={({ target }) => {
          if (isCalendarDate(target.value)) onChange(periodAround(period.kind, target.value));
        }}
      />
    </span>
  );
}

function RangeFields({ period, newest, onChange }: PeriodBarProps) {
  const change = (edge: Edge, value: string) => {
    if (!isCalendarDate(value) || value === period[edge]) return;
    onChange(readPeriod(new URLSearchParams({ by: 'range', from: period.from, to: period.to, [edge]: value }), newest));
  };
  return (
    <>
      <RangeField
        label="First census date"
        date={period.from}
        newest={newest}
        onDate={(date) => change('from', date)}
      />
      <RangeField label="Last census date" date={period.to} newest={newest} onDate={(date) => change('to', date)} />
    </>
  );
}

type Edge = 'from' | 'to';

interface RangeFieldProps {
  readonly label: string;
  readonly date: CensusDate;
  readonly newest: CensusDate;
  readonly onDate: (date: string) => void;
}

/** A date is on its way while it is typed: it counts with Enter, or when the field is left. */
function RangeField({ label, date, newest, onDate }: RangeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    if (typed !== null) onDate(typed);
    setTyped(null);
  };
  return (
    <TextInput
      type="date"
      label={label}
      isLabelHidden
      value={typed ?? date}
      max={newest}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => key === 'Enter' && finish()}
    />
  );
}
