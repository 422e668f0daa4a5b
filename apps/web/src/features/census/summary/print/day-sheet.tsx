import { sumsOfDay, sumsOfReport } from '@wardline/census/day-sums.ts';
import { nursingSums } from '@wardline/census/nursing-hours.ts';
import { varianceOf } from '@wardline/census/report-figures.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import { sumKnown } from '@wardline/census/sum-known.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { classNames } from '@wardline/ui/class-names.ts';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import { formatCount, formatDifference, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { fullDay } from '#/features/census/core/period/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { formatCompleteness, formatOccupancy, reportState } from '#/features/census/summary/cards/day-labels.ts';
import type { Summed } from '#/features/census/summary/cards/measure-rows.ts';
import { MeasuresTable } from '#/features/census/summary/cards/measures-card.tsx';
import { dayTransfers, type TransferPicture } from '#/features/census/summary/cards/transfer-labels.ts';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import type { SheetContext } from './sheet-context.ts';
import { SheetFoot } from './sheet-foot.tsx';
import { Signatures } from './signatures.tsx';
import { type PrintedDay, restatementsOf, SignedPart } from './signed-part.tsx';

interface DaySheetProps extends PrintedDay {
  readonly context: SheetContext;
}

interface Column {
  readonly head: string;
  readonly of: (unit: UnitOfDay) => number | null;
  readonly format?: (figure: number | null) => string;
}

/** A variance shows its sign. */
const formatVariance = (figure: number | null) => formatDifference(figure === null ? null : String(figure));

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
  { head: 'Counted', of: ({ counts }) => counts.counted },
  { head: 'Var.', of: varianceOf, format: formatVariance },
  { head: 'Same day', of: ({ counts }) => counts.ad_same_day },
  { head: 'Service days', of: ({ service_days }) => service_days },
];

const DISCHARGE_DAYS: Column = { head: 'Disch. days', of: ({ counts }) => counts.discharge_days ?? null };

/** Discharge days where a unit tells them; the last column holds the beds that the share beside it is of. */
function columnsOf({ denominator, units }: FacilityDay): readonly Column[] {
  const stays = units.some((unit) => DISCHARGE_DAYS.of(unit) !== null) ? [DISCHARGE_DAYS] : [];
  return [...COLUMNS, ...stays, { head: BEDS[denominator], of: ({ beds }) => beds[denominator] }];
}

const BEDS: Readonly<Record<FacilityDay['denominator'], string>> = {
  licensed: 'Licensed',
  physical: 'Physical',
  staffed: 'Staffed',
};

/**
 * The facility's day: every unit in a row, who went where, the measures, and who signed it. All of it is of the same figures:
 * of a signed day those that were signed.
 */
export function DaySheet({ context, day, signed }: DaySheetProps) {
  const nameOf = namesOf(day.units);
  const columns = columnsOf(day);
  const handedIn = day.units.filter(({ status }) => isHandedIn(status));
  return (
    <Sheet
      isWide
      title="Facility daily census"
      subtitle={fullDay(day.census_date)}
      facilityName={context.facility.name}
      foot={
        <SheetFoot
          context={context}
          reported={day.units_submitted}
          expected={day.units_expected}
          logHead={day.log_head === null ? null : { date: day.census_date, head: day.log_head }}
          figuresHash={signed.signed?.hash ?? null}
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
              {columns.map(({ head, of, format = formatCount }) => (
                <td key={head} className="n">
                  {format(of(unit))}
                </td>
              ))}
              <td className="n">{formatOccupancy(unit, day)}</td>
              <td>
                {reportState(unit, day).word}
                {restatementsOf(signed, unit).length > 0 && '; restated since'}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Reports that are in</th>
            {columns.map(({ head, of, format = formatCount }) => (
              <td key={head} className="n">
                {format(sumKnown(handedIn.map(of)))}
              </td>
            ))}
            <td />
            <td>
              <LeftOut reported={day.units_submitted} expected={day.units_expected} />
            </td>
          </tr>
        </tfoot>
      </table>
      {reasonsOf(day).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <SignedPart context={context} day={day} signed={signed} />
      {dayTransfers(day).map((picture) => (
        <MatrixTable key={picture.population} picture={picture} />
      ))}
      {day.override_reason !== null && (
        <p>
          Transfer gap {formatCount(day.transfer_gap)}, accepted by {day.signed_by?.name ?? 'the signer'}:{' '}
          {day.override_reason}
        </p>
      )}
      <div className="sheet-measures">
        <MeasuresTable summary={summedOf(day)} />
      </div>
      <Signatures names={['Compiled by', 'Signed for the facility']} />
    </Sheet>
  );
}

/** Why a head count differs, and why there are more patients than beds: each with its unit. */
function reasonsOf(day: FacilityDay): string[] {
  const nameOf = namesOf(day.units);
  return day.units.flatMap((unit) => {
    if (!isHandedIn(unit.status)) return [];
    const variance = varianceOf(unit) ?? 0;
    const differs = variance === 0 ? [] : [`${formatVariance(variance)}: ${unit.variance_reason ?? NO_FIGURE}`];
    const isOver = unit.capacity_reason === null ? [] : [`over capacity: ${unit.capacity_reason}`];
    return [
      ...differs.map((text) => `${nameOf(unit)}, head count ${text}`),
      ...isOver.map((text) => `${nameOf(unit)}, ${text}`),
    ];
  });
}

/** The day for its table of measures, from the units of the same sheet. */
function summedOf({ units, denominator, census_date }: FacilityDay): Summed {
  return {
    total: sumsOfDay(units, denominator),
    units: units.map((unit) => ({
      population: unit.population,
      counts_in_occupancy: unit.counts_in_occupancy,
      sums: sumsOfReport(unit, denominator),
    })),
    denominator,
    from: census_date,
    to: census_date,
    // Hours are told of months.
    nursing: { first_month: null, last_month: null, total: nursingSums([]), units: [] },
  };
}

/** Codes of more units than these do not fit side by side. */
const MOST_LYING = 14;

/** Sent · received where the two sides differ; a star where one side has not reported. */
function MatrixTable({ picture: { population: name, units, cells } }: { picture: TransferPicture }) {
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
