import { Button } from '@wardline/ui/button/button.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';

const PERIODS = [
  { value: '1', label: 'This month' },
  { value: '3', label: '3 months' },
  { value: '13', label: '13 months' },
] as const;

interface PeriodBarProps {
  /** How many up to now. */
  readonly months: string;
  readonly onMonths: (months: string) => void;
  readonly onExport: () => void;
  readonly isBusy: boolean;
  /** What else is chosen. */
  readonly children?: ReactNode;
}

/** Over figures by month: of which months, and the way to the file. */
export function PeriodBar({ months, onMonths, onExport, isBusy, children }: PeriodBarProps) {
  const isOnline = useOnline();
  return (
    <div className="row wrap">
      <Select
        label="Period"
        isLabelHidden
        inputSize="sm"
        value={months}
        onValueChange={onMonths}
        options={[...PERIODS]}
      />
      {children}
      <Button
        variant="outline"
        color="neutral"
        icon={Download}
        isLoading={isBusy}
        disabled={!isOnline}
        onClick={onExport}
      >
        Export CSV
      </Button>
    </div>
  );
}

/** So many months up to that of a day, as `YYYY-MM`. */
export function monthsUntil(day: string, months: number): { from: string; to: string } {
  const to = day.slice(0, 7);
  const [year = 0, month = 1] = to.split('-').map(Number);
  return { from: new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 7), to };
}
