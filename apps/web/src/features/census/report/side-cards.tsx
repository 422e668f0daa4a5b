import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { Waterfall, type WaterfallStep } from '@wardline/ui/chart/waterfall.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { Check, TriangleAlert } from 'lucide-react';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { arithmetic, sumOf } from '#/features/census/core/report-labels.ts';
import { CountRow } from './count-row.tsx';
import { toReportInput } from './engine/report-draft.ts';
import { formatWrite, inputId, useReport } from './engine/report-view.ts';

/** The balance of the day as a picture that follows what is typed. */
export function DayCard() {
  const { state } = useReport();
  const { opening, counts } = toReportInput(state.draft, state.day);
  const sum = sumOf(opening, counts);
  const births: WaterfallStep[] =
    state.day.population === 'newborn' ? [{ key: 'births', label: 'Births', value: counts.births, kind: 'in' }] : [];
  const steps: WaterfallStep[] = [
    { key: 'opening', label: 'Opening', value: opening, kind: 'total' },
    { key: 'admissions', label: 'Admissions', value: counts.admissions, kind: 'in' },
    ...births,
    { key: 'transfers_in', label: 'Transfers in', value: counts.transfers_in, kind: 'in' },
    { key: 'discharges', label: 'Discharges', value: counts.discharges, kind: 'out' },
    { key: 'deaths', label: 'Deaths', value: counts.deaths, kind: 'out' },
    { key: 'transfers_out', label: 'Transfers out', value: counts.transfers_out, kind: 'out' },
    { key: 'closing', label: 'Closing', value: sum.closing, kind: 'total' },
  ];
  const signs = { total: '', in: '+', out: '−' } as const;
  return (
    <ChartCard
      title="The day"
      note={
        <span className="num">
          {arithmetic(sum)} = <b>{formatCount(sum.closing)}</b>
        </span>
      }
      table={
        <Table
          caption="The day in numbers"
          columns={[
            { key: 'step', head: 'Step', cell: (step: WaterfallStep) => step.label },
            {
              key: 'patients',
              head: 'Patients',
              isNumeric: true,
              cell: ({ value, kind }: WaterfallStep) => (value === null ? '–' : `${signs[kind]}${formatCount(value)}`),
            },
          ]}
          rows={steps}
          rowKey={({ key }) => key}
          isDense
        />
      }
    >
      <Waterfall steps={steps} unitLabel="patients" />
    </ChartCard>
  );
}

/** Who was counted against who should be there. */
export function HeadCountCard() {
  const { state } = useReport();
  const { opening, counts, beds } = toReportInput(state.draft, state.day);
  const { closing } = sumOf(opening, counts);
  const present = closing === null || counts.on_leave === null ? null : closing - counts.on_leave;
  const serviceDays = present === null || counts.ad_same_day === null ? null : present + counts.ad_same_day;
  const isKnown = present !== null && counts.counted !== null;
  return (
    <Card>
      <CardHead
        level={2}
        title="Head count"
        aside={
          isKnown &&
          (present === counts.counted ? (
            <Badge tone="success" icon={Check}>
              Agrees
            </Badge>
          ) : (
            <Badge tone="warning" icon={TriangleAlert}>
              Differs by {Math.abs(present - (counts.counted ?? 0))}
            </Badge>
          ))
        }
      />
      <div className="head-count">
        <div>
          <span className="t12 muted">Computed</span>
          <b className="t24 num">{formatCount(present)}</b>
        </div>
        <span className="t24 muted" aria-hidden="true">
          {isKnown && (present === counts.counted ? '=' : '≠')}
        </span>
        <div>
          <span className="t12 muted">Counted</span>
          <b className="t24 num">{counts.counted ?? '–'}</b>
        </div>
        <dl className="head-count-facts">
          {state.day.feed && (
            <div>
              <dt>Patient system says</dt>
              <dd className="num">{state.day.feed.closing - state.day.feed.counts.on_leave}</dd>
            </div>
          )}
          <OpeningDifference day={state.day} />
          <div>
            <dt>Service days</dt>
            <dd className="num">{formatCount(serviceDays)}</dd>
          </div>
          <div>
            <dt>Staffed, blocked beds</dt>
            <dd className="num">
              {beds.staffed}, {beds.blocked}
            </dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

/** Where the report opens with another number than the patient system: their closings differ by it too. */
function OpeningDifference({ day: { feed, opening } }: { day: Pick<UnitDay, 'feed' | 'opening'> }) {
  if (feed?.opening === undefined || opening === null || feed.opening === opening) return null;
  return (
    <div>
      <dt>Patient system opened with</dt>
      <dd className="num">{`${feed.opening}, this report with ${opening}`}</dd>
    </div>
  );
}

/** The beds of the date, and words for whoever reads the report. */
export function BedsCard() {
  const { state, editor, isEditable, errorOf, leave } = useReport();
  const beds = state.day.population === 'newborn' ? 'bassinets' : 'beds';
  return (
    <Card className="sheet-card is-unsigned">
      <CountRow field="beds_staffed" label={`Staffed ${beds}`} hint={`of ${state.day.beds.physical} set up`} />
      <CountRow field="beds_blocked" label={`Blocked ${beds}`} hint="staffed, but not to be used" />
      {(isEditable || state.draft.text.note !== '') && (
        <div className="sheet-reasons">
          <Textarea
            id={inputId('note')}
            label="Note"
            help="No patient names."
            error={errorOf('note')}
            rows={2}
            maxLength={500}
            value={state.draft.text.note}
            readOnly={!isEditable}
            onChange={(event) => editor.change(formatWrite('note', event.target.value))}
            onBlur={() => leave('note')}
          />
        </div>
      )}
    </Card>
  );
}
