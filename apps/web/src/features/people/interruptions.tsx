import { serverNow } from '@wardline/client/server-clock.ts';
import {
  type Calls,
  exportInterruptions,
  FEWEST_CALLS,
  FEWEST_HOLDERS,
  listInterruptions,
  type RoleInterruptions,
} from '@wardline/contract/chat/interruptions.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatCount, NO_FIGURE } from '@wardline/format/counts.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { HeatMap, type HeatRow } from '@wardline/ui/chart/heat-map.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { dayIn, timeIn } from '#/shared/time/zoned-time.ts';
import { formatSeconds } from './critical-times.tsx';
import { monthsUntil, PeriodBar } from './period-bar.tsx';

const MEASURES = [
  { value: 'urgent', label: 'Urgent calls' },
  { value: 'aloud', label: 'Notifications with sound' },
  { value: 'silent', label: 'Silent notifications' },
  { value: 'median', label: 'Minutes to acknowledge' },
] as const;
type Measure = (typeof MEASURES)[number]['value'];

/** How often people were called and how fast they acknowledged, by role and hour of the day. No person is named. */
export function Interruptions({ facility }: { readonly facility: Facility }) {
  const call = useCall();
  const { download, isBusy } = useDownload();
  const [months, setMonths] = useState<string>('3');
  const [measure, setMeasure] = useState<Measure>('urgent');
  const query = monthsUntil(dayIn(facility.time_zone, serverNow()), Number(months));
  const params = { facility: facility.id };
  const roles = useQuery({
    queryKey: ['interruptions', facility.id, query.from, query.to],
    queryFn: ({ signal }) => call(listInterruptions, { params, query, signal }),
  });
  const wanted = { fileName: 'interruptions.csv', failed: 'The interruptions were not exported' };
  return (
    <section className="stack stack-4" aria-label="Interruptions">
      <PeriodBar
        months={months}
        onMonths={setMonths}
        isBusy={isBusy}
        onExport={() => void download(exportInterruptions, { params, query }, wanted)}
      >
        <Select
          label="Shown by hour"
          isLabelHidden
          inputSize="sm"
          value={measure}
          onValueChange={(value) => setMeasure(value as Measure)}
          options={[...MEASURES]}
        />
      </PeriodBar>
      {roles.error && !roles.data && (
        <ErrorState
          title="The interruptions did not load"
          message={formatFailure(roles.error)}
          onRetry={() => void roles.refetch()}
        />
      )}
      {!roles.data && !roles.error && <Skeleton shape="rows" count={5} label="Loading the interruptions" />}
      {roles.data && (
        <>
          <ShownRoles roles={roles.data.data} measure={measure} />
          <p className="t13 muted">
            Counts are rounded to {FEWEST_CALLS}, 1 to {FEWEST_CALLS - 1} are shown as few, and a role that fewer than{' '}
            {FEWEST_HOLDERS} people hold is not shown, so that no figure is that of a person. Someone with two roles
            counts in both. Times run from the call to the acknowledgement: the median, and in brackets within what nine
            of ten were.
          </p>
        </>
      )}
    </section>
  );
}

interface ShownRolesProps {
  readonly roles: readonly RoleInterruptions[];
  readonly measure: Measure;
}

function ShownRoles({ roles, measure }: ShownRolesProps) {
  const shown = roles.filter(({ total }) => total !== null);
  const hidden = roles.filter(({ total }) => total === null);
  const label = MEASURES.find(({ value }) => value === measure)?.label ?? '';
  return (
    <>
      <Table
        caption="By role"
        columns={ROLE_COLUMNS}
        rows={shown}
        rowKey={({ role }) => role.id}
        emptyText="Calls show here from the first one on."
        onPhone="stack"
      />
      {shown.length > 0 && (
        <ChartCard
          title={`${label} by hour`}
          table={
            <Table
              caption="By role and hour"
              columns={HOUR_COLUMNS}
              rows={shown.flatMap(({ role, hours }) => hours.map((hour) => ({ ...hour, role })))}
              rowKey={({ role, hour }) => `${role.id} ${hour}`}
              onPhone="stack"
            />
          }
        >
          <HeatMap
            label={`${label} by role and hour`}
            rows={toHeatRows(shown, measure, label)}
            columns={HOURS.map(toColumn)}
            bands={BANDS}
            begin="start"
            legend={<p className="t13 muted">The stronger the colour, the higher the figure.</p>}
          />
        </ChartCard>
      )}
      {hidden.length > 0 && (
        <p className="t13 muted">Not shown, held by few: {hidden.map(({ role }) => role.name).join(', ')}</p>
      )}
    </>
  );
}

/** In per cent of the highest figure. */
const BANDS = { target: 50, high: 70, full: 90 };

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

function toColumn(hour: number) {
  return { key: String(hour), top: '', bottom: formatHour(hour).replace(':00', ''), isWeekend: false };
}

function formatHour(hour: number): string {
  return timeIn('UTC', hour * 3_600_000);
}

/** Undefined where there was nothing; null where there was little. */
function figureOf(calls: Calls, measure: Measure): number | null | undefined {
  if (measure !== 'median') return calls[measure] === 0 ? undefined : calls[measure];
  const { count, median_s } = calls.answers;
  if (median_s !== null) return Math.round(median_s / 60);
  return count === 0 ? undefined : null;
}

function toHeatRows(roles: readonly RoleInterruptions[], measure: Measure, label: string): HeatRow[] {
  const figures = roles.flatMap(({ hours }) => hours.map((calls) => figureOf(calls, measure) ?? 0));
  const highest = Math.max(1, ...figures);
  return roles.map(({ role, hours }) => ({
    id: role.id,
    label: role.name,
    cells: HOURS.map((at) => {
      const calls = hours.find(({ hour }) => hour === at);
      const figure = calls && figureOf(calls, measure);
      const said = figure === undefined ? 'none' : formatFew(figure);
      return {
        value: figure === undefined ? null : ((figure ?? 0) / highest) * 100,
        text: figure === undefined ? '' : formatFew(figure),
        title: `${role.name}, ${formatHour(at)}, ${label}: ${said}`,
      };
    }),
  }));
}

function formatFew(count: number | null): string {
  return count === null ? 'few' : formatCount(count);
}

function formatAnswers({ answers: { median_s, p90_s } }: Calls): string {
  if (median_s === null || p90_s === null) return NO_FIGURE;
  return `${formatSeconds(median_s)} (${formatSeconds(p90_s)})`;
}

function callColumns<Row>(callsOf: (row: Row) => Calls | null): TableColumn<Row>[] {
  const column = (key: string, head: string, format: (calls: Calls) => string): TableColumn<Row> => ({
    ...{ key, head, isNumeric: true },
    cell(row) {
      const calls = callsOf(row);
      return calls ? format(calls) : 'few';
    },
  });
  return [
    column('silent', 'Silent', ({ silent }) => formatFew(silent)),
    column('aloud', 'With sound', ({ aloud }) => formatFew(aloud)),
    column('urgent', 'Urgent calls', ({ urgent }) => formatFew(urgent)),
    column('answered', 'Acknowledged', ({ answers }) => formatFew(answers.count)),
    column('times', 'Time to acknowledge', formatAnswers),
  ];
}

const ROLE_COLUMNS: readonly TableColumn<RoleInterruptions>[] = [
  { key: 'role', head: 'Role', cell: ({ role }) => role.name },
  ...callColumns<RoleInterruptions>(({ total }) => total),
];

type HourRow = RoleInterruptions['hours'][number] & Pick<RoleInterruptions, 'role'>;

const HOUR_COLUMNS: readonly TableColumn<HourRow>[] = [
  { key: 'role', head: 'Role', cell: ({ role }) => role.name },
  { key: 'hour', head: 'Hour', cell: ({ hour }) => formatHour(hour) },
  ...callColumns<HourRow>((calls) => calls),
];
