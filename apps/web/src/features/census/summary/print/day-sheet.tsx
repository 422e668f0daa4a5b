import { isHandedIn } from '@wardline/census/states.ts';
import { sumKnown } from '@wardline/census/sum-known.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census-day.ts';
import type { CensusSummary } from '@wardline/contract/census-summary.ts';
import { classNames } from '@wardline/ui/class-names.ts';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { fullDay } from '#/features/census/core/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { formatCompleteness, formatOccupancy, reportState } from '#/features/census/summary/cards/day-labels.ts';
import { MeasuresTable } from '#/features/census/summary/cards/measures-card.tsx';
import { dayTransfers, type TransferPicture } from '#/features/census/summary/cards/transfer-labels.ts';
import { Sheet, type SheetContext, Signatures } from './sheet.tsx';
import { SheetFoot } from './sheet-foot.tsx';

interface DaySheetProps {
  readonly context: SheetContext;
  readonly day: FacilityDay;
  readonly summary: CensusSummary;
}

interface Column {
  readonly head: string;
  readonly of: (unit: UnitOfDay) => number | null;
}

const COLUMNS: readonly Column[] = [
  { head: 'Opening', of: ({ opening }) => opening },
  { head: 'Adm.', of: ({ counts }) => counts.admissions },
  { head: 'Births', of: ({ counts }) => counts.births },
  { head: 'Trf in', of: ({ counts }) => counts.transfers_in },
  { head: 'Disch.', of: ({ counts }) => counts.discharges },
  { head: 'Deaths', of: ({ counts }) => counts.deaths },
  { head: '<48 h', of: ({ counts }) => counts.deaths_u48 },
  { head: 'Trf out', of: ({ counts }) => counts.transfers_out },
  { head: 'Closing', of: ({ closing }) => closing },
  { head: 'Leave', of: ({ counts }) => counts.on_leave },
  { head: 'Same day', of: ({ counts }) => counts.ad_same_day },
  { head: 'Service days', of: ({ service_days }) => service_days },
];

/** The last column holds the beds that the share beside it is of. */
function columnsOf({ denominator }: FacilityDay): readonly Column[] {
  return [...COLUMNS, { head: BEDS[denominator], of: ({ beds }) => beds[denominator] }];
}

const BEDS: Readonly<Record<FacilityDay['denominator'], string>> = {
  licensed: 'Licensed',
  physical: 'Physical',
  staffed: 'Staffed',
};

/** The facility's day: every unit in a row, who went where, the measures, and who signed it. */
export function DaySheet({ context, day, summary }: DaySheetProps) {
  const nameOf = namesOf(day.units);
  const columns = columnsOf(day);
  const handedIn = day.units.filter(({ status }) => isHandedIn(status));
  return (
    <Sheet
      isWide
      title="Facility daily census"
      subtitle={fullDay(day.census_date)}
      context={context}
      foot={
        <SheetFoot
          context={context}
          reported={day.units_submitted}
          expected={day.units_expected}
          logHead={day.log_head === null ? null : { date: day.census_date, head: day.log_head }}
        />
      }
    >
      <p>{formatCompleteness(day)}.</p>
      <table className="sheet-table">
        <thead>
          <tr>
            <th scope="col">Unit</th>
            {columns.map(({ head }) => (
              <th key={head} scope="col" className="n">
                {head}
              </th>
            ))}
            <th scope="col" className="n">
              Occ. %
            </th>
            <th scope="col">Report</th>
          </tr>
        </thead>
        <tbody>
          {day.units.map((unit) => (
            <tr key={reportKey(unit)}>
              <th scope="row">{nameOf(unit)}</th>
              {columns.map(({ head, of }) => (
                <td key={head} className="n">
                  {formatCount(of(unit))}
                </td>
              ))}
              <td className="n">{formatOccupancy(unit, day)}</td>
              <td>{reportState(unit, day).word}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Reports that are in</th>
            {columns.map(({ head, of }) => (
              <td key={head} className="n">
                {formatCount(sumKnown(handedIn.map(of)))}
              </td>
            ))}
            <td />
            <td>
              <LeftOut reported={day.units_submitted} expected={day.units_expected} />
            </td>
          </tr>
        </tfoot>
      </table>
      {dayTransfers(day).map((picture) => (
        <MatrixTable key={picture.class} picture={picture} />
      ))}
      {day.override_reason !== null && (
        <p>
          Transfer gap {formatCount(day.transfer_gap)}, accepted by {day.signed_by?.name ?? 'the signer'}:{' '}
          {day.override_reason}
        </p>
      )}
      <div className="sheet-measures">
        <MeasuresTable summary={summary} />
      </div>
      <Signatures names={['Compiled by', 'Signed for the facility']} />
    </Sheet>
  );
}

/** Codes of more units than these do not fit side by side. */
const MOST_LYING = 14;

/** Sent · received where the two sides differ; a star where one side has not reported. */
function MatrixTable({ picture: { class: name, units, cells } }: { picture: TransferPicture }) {
  const text = (from: string, to: string) => {
    const cell = cells.find((one) => one.from === from && one.to === to);
    if (!cell) return '·';
    if (cell.isMissing) return `${formatCount(cell.out ?? cell.in)}*`;
    return (cell.out ?? 0) === (cell.in ?? 0)
      ? formatCount(cell.out)
      : `${formatCount(cell.out ?? 0)} · ${formatCount(cell.in ?? 0)} !`;
  };
  return (
    <table className={classNames('sheet-table is-matrix', units.length > MOST_LYING && 'is-dense')}>
      <caption>
        Transfers, {name === 'newborn' ? 'newborn' : 'adults and children'}: from row to column. “2 · 1 !” means 2 sent,
        1 received; * one side has not reported.
      </caption>
      <thead>
        <tr>
          <th scope="col">From, to</th>
          {units.map(({ id, label }) => (
            <th key={id} scope="col" className="n">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {units.map((from) => (
          <tr key={from.id}>
            <th scope="row">{from.label}</th>
            {units.map((to) => (
              <td key={to.id} className="n">
                {from.id === to.id ? '' : text(from.id, to.id)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
