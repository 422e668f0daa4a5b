import { serverNow } from '@wardline/client/server-clock.ts';
import type { Examination, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { listTrend } from '@wardline/contract/examinations/trends.ts';
import { rangeFor, type Subject } from '@wardline/examination/reference-range.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { MeasurementChart } from '@wardline/ui/chart/measurement-chart.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatRangeOf } from '#/features/examinations/core/examination-labels.ts';
import { Flag } from '#/features/examinations/core/flag.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { drawnPoints, type ShownValue, shownValues } from './trend-values.ts';
import './trends.css';

const PAGE = 100;

interface TrendPanelProps {
  readonly examination: Examination;
  readonly field: TemplateField;
  readonly subject: Subject;
  readonly zone: string;
  readonly chatPath: string;
  readonly onClose: () => void;
}

/** How a number developed over the signed reports of the chat: a picture over what is normal, and the same as a table. */
export function TrendPanel({ examination, field, subject, zone, chatPath, onClose }: TrendPanelProps) {
  const call = useCall();
  const { id } = examination;
  const list = usePages({
    queryKey: ['trend', id, field.code],
    load: ({ query, signal }) =>
      call(listTrend, { params: { examination: id }, query: { ...query, field: field.code, limit: PAGE }, signal }),
  });
  const values = shownValues(list.data?.pages.flatMap((page) => page.data) ?? [], field);
  const panel = useRef<HTMLElement>(null);
  const isThere = list.data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when it has its height
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [isThere]);
  return (
    <section ref={panel} className="exam-trend" aria-label={`Trend of ${field.label}`} tabIndex={-1}>
      {list.error && (
        <Banner
          tone="error"
          action={
            <Button variant="link" size="sm" onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        >
          {formatFailure(list.error)}
        </Banner>
      )}
      {!isThere && !list.error && <Skeleton shape="text" count={4} label="Loading the trend" />}
      {isThere && (
        <ChartCard
          level={3}
          title={field.label}
          note={[field.unit?.label, formatNormal(field, subject)].filter(Boolean).join(' · ')}
          aside={
            <Button
              variant="ghost"
              color="neutral"
              size="sm"
              iconOnly
              icon={X}
              label="Close the trend"
              onClick={onClose}
            />
          }
          table={<ValuesTable {...{ values, field, zone, chatPath }} thisId={id} />}
        >
          <Picture {...{ values, field, subject, zone }} />
        </ChartCard>
      )}
      {list.hasNextPage && (
        <Button variant="link" isLoading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier values
        </Button>
      )}
    </section>
  );
}

interface PictureProps extends Pick<TrendPanelProps, 'field' | 'subject' | 'zone'> {
  readonly values: readonly ShownValue[];
}

function Picture({ values, field, subject, zone }: PictureProps) {
  const points = drawnPoints(values);
  const { low, high } = rangeFor(field.ranges ?? [], subject) ?? {};
  const apart = values.length - points.length;
  const [last] = values;
  const time = (at: number) => formatClock(zone, at, serverNow());
  return (
    <>
      {points.length > 0 && (
        <MeasurementChart
          label={`${field.label}: ${counted(points.length, 'value')}${last ? `, the last ${formatQuantity(last.text, last.unit)}` : ''}. The table has all of them.`}
          points={points}
          band={{ low: toPixelNumber(low), high: toPixelNumber(high) }}
          format={String}
          timeName={time}
        />
      )}
      {apart > 0 && (
        <p className="t13 muted">
          {counted(apart, 'value is', 'values are')} in the table alone: in another unit, or only a limit.
        </p>
      )}
    </>
  );
}

/** Where a limit is drawn; it is never calculated with. */
function toPixelNumber(limit: string | undefined): number | null {
  return limit === undefined ? null : Number(limit);
}

function formatNormal(field: TemplateField, subject: Subject): string {
  const range = formatRangeOf(field, subject);
  return range === '' ? '' : `normal ${range}`;
}

interface ValuesTableProps extends Pick<TrendPanelProps, 'field' | 'zone' | 'chatPath'> {
  readonly values: readonly ShownValue[];
  readonly thisId: string;
}

function ValuesTable({ values, field, zone, chatPath, thisId }: ValuesTableProps) {
  return (
    <Table
      caption={`Values of ${field.label}, the newest first`}
      isDense
      rows={values}
      rowKey={({ examinationId }) => examinationId}
      columns={[
        {
          key: 'at',
          head: 'When',
          cell: ({ at }) => <span className="num">{formatClock(zone, at, serverNow())}</span>,
        },
        {
          key: 'value',
          head: 'Value',
          isNumeric: true,
          cell: ({ text, unit, entered }) => (
            <>
              {text} <span className="muted">{unit}</span>
              {entered !== null && <div className="t12 muted">entered {entered}</div>}
            </>
          ),
        },
        { key: 'flag', head: 'Flag', cell: ({ interpretation }) => <Flag of={interpretation} /> },
        {
          key: 'from',
          head: 'From',
          cell: ({ examinationId, title, reportVersion }) =>
            examinationId === thisId ? (
              `This one, v${reportVersion}`
            ) : (
              <Link href={`${chatPath}/e-${examinationId}`}>
                {title} v{reportVersion}
              </Link>
            ),
        },
      ]}
    />
  );
}
