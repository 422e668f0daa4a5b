import { serverNow } from '@wardline/client/server-clock.ts';
import type { CriticalTimesRow, StepTimes } from '@wardline/contract/chat/critical.ts';
import { exportCriticalTimes, listCriticalTimes } from '@wardline/contract/chat/critical-acts.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatMonth } from '@wardline/format/periods.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { CATEGORY_LABELS } from '#/shared/critical/critical-labels.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { monthsUntil, PeriodBar } from './period-bar.tsx';

/** How long critical results took to each step, by month, unit and how soon they had to be known. No person is named. */
export function CriticalTimes({ facility }: { readonly facility: Facility }) {
  const call = useCall();
  const { download, isBusy } = useDownload();
  const [months, setMonths] = useState<string>('3');
  const query = monthsUntil(dayIn(facility.time_zone, serverNow()), Number(months));
  const params = { facility: facility.id };
  const times = useQuery({
    queryKey: ['critical-times', facility.id, query.from, query.to],
    queryFn: ({ signal }) => call(listCriticalTimes, { params, query, signal }),
  });
  const wanted = { fileName: 'critical-results.csv', failed: 'The times were not exported' };
  return (
    <section className="stack stack-4" aria-label="Critical results">
      <PeriodBar
        months={months}
        onMonths={setMonths}
        isBusy={isBusy}
        onExport={() => void download(exportCriticalTimes, { params, query }, wanted)}
      />
      {times.error && !times.data && (
        <ErrorState
          title="The times did not load"
          message={formatFailure(times.error)}
          onRetry={() => void times.refetch()}
        />
      )}
      {!times.data && !times.error && <Skeleton shape="rows" count={5} label="Loading the times" />}
      {times.data && (
        <Table
          caption="Times to each step"
          columns={COLUMNS}
          rows={times.data.data}
          rowKey={({ month, unit, category }) => `${month} ${unit?.id ?? ''} ${category}`}
          emptyText="Critical alerts show here from the first one on."
          onPhone="stack"
        />
      )}
      <p className="t13 muted">
        From the signature to each step: the median, and in brackets within what nine of ten were. Both are times that
        occurred; alerts that did not reach a step are not in it. The unit is that of the patient’s bed.
      </p>
    </section>
  );
}

const step = (key: 'notified' | 'received' | 'read_back' | 'acted', head: string): TableColumn<CriticalTimesRow> => ({
  ...{ key, head, isNumeric: true },
  cell: (row) => formatStep(row[key], row.raised),
});

const COLUMNS: readonly TableColumn<CriticalTimesRow>[] = [
  { key: 'month', head: 'Month', cell: ({ month }) => formatMonth(month) },
  { key: 'unit', head: 'Unit', cell: ({ unit }) => unit?.code ?? 'No unit' },
  { key: 'category', head: 'How soon', cell: ({ category }) => CATEGORY_LABELS[category].word },
  { key: 'raised', head: 'Alerts', isNumeric: true, cell: formatRaised },
  step('notified', 'Notified'),
  step('received', 'Received'),
  step('read_back', 'Read back'),
  step('acted', 'Done'),
];

function formatRaised({ raised, withdrawn, open }: CriticalTimesRow): string {
  const parts = [...(open > 0 ? [`${open} open`] : []), ...(withdrawn > 0 ? [`${withdrawn} withdrawn`] : [])];
  return parts.length > 0 ? `${raised} (${parts.join(', ')})` : String(raised);
}

/** How many reached it is said where not all did. */
function formatStep({ count, median_s, p90_s }: StepTimes, raised: number): string {
  if (median_s === null || p90_s === null) return '–';
  const times = `${formatSeconds(median_s)} (${formatSeconds(p90_s)})`;
  return count < raised ? `${times}, ${count} of ${raised}` : times;
}

export function formatSeconds(seconds: number): string {
  return seconds < 60 ? 'under 1 min' : formatSpan(seconds * 1000);
}
