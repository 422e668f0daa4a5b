import { toldFields, varianceOf } from '@wardline/census/report-figures.ts';
import { labelOf } from '@wardline/census/rules.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { formatCount, formatDifference, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { fullDay } from '#/features/census/core/period/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { reportState } from '#/features/census/summary/cards/day-labels.ts';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import type { SheetContext } from './sheet-context.ts';
import { SheetFoot } from './sheet-foot.tsx';
import { Signatures } from './signatures.tsx';
import { type PrintedDay, SignedPart } from './signed-part.tsx';

/** One page for each unit, to be signed by who reports and who reviews. */
export function UnitSheets(props: PrintedDay & { readonly context: SheetContext }) {
  return props.day.units.map((unit) => <UnitSheet key={reportKey(unit)} {...props} unit={unit} />);
}

interface UnitSheetProps extends PrintedDay {
  readonly context: SheetContext;
  readonly unit: UnitOfDay;
}

function UnitSheet({ context, day, signed, unit }: UnitSheetProps) {
  const isIn = isHandedIn(unit.status);
  const variance = varianceOf(unit);
  const reasons = [
    ['Head count differs', unit.variance_reason],
    ['Over capacity', unit.capacity_reason],
  ] as const;
  return (
    <Sheet
      title={`Unit daily census: ${namesOf(day.units)(unit)}, ${unit.unit_name}`}
      subtitle={fullDay(day.census_date)}
      facilityName={context.facility.name}
      foot={
        <SheetFoot
          context={context}
          reported={isIn ? 1 : 0}
          expected={1}
          logHead={day.log_head === null ? null : { date: day.census_date, head: day.log_head }}
          figuresHash={signed.signed?.hash ?? null}
        />
      }
    >
      <p>
        {unit.population === 'newborn' ? 'Newborn' : 'Adults and children'}. Report: {reportState(unit, day).word}
        {unit.submitted_by && `, by ${unit.submitted_by.name}`}
        {unit.approved_by && `, approved by ${unit.approved_by.name}`}.
      </p>
      <table className="sheet-table is-narrow">
        <tbody>
          <Line label="Opening" value={unit.opening} />
          {toldFields(unit).map((field) => (
            <Line key={field} label={labelOf(field)} value={unit.counts[field]} />
          ))}
          <Line label="Closing" value={unit.closing} isSum />
          <Line label="Present" value={unit.present} />
          <Line
            label="Variance of the head count"
            text={formatDifference(variance === null ? null : String(variance))}
          />
          <Line label="Inpatient service days" value={unit.service_days} isSum />
          <Line
            label={unit.population === 'newborn' ? 'Staffed bassinets' : 'Staffed beds'}
            value={unit.beds.staffed}
          />
          <Line label="Blocked" value={unit.beds.blocked} />
        </tbody>
      </table>
      <p className="sheet-note">Admissions, discharges and deaths include same-day patients.</p>
      {reasons.map(
        ([label, text]) =>
          text !== null && (
            <p key={label}>
              {label}: {text}
            </p>
          ),
      )}
      <SignedPart context={context} day={day} signed={signed} unit={unit} />
      <DayTransfers day={day} unit={unit} />
      <Signatures names={['Reported by', 'Reviewed by']} />
    </Sheet>
  );
}

interface LineProps {
  readonly label: string;
  readonly value?: number | null;
  readonly text?: string;
  readonly isSum?: boolean;
}

function Line({ label, value = null, text = formatCount(value), isSum = false }: LineProps) {
  return (
    <tr className={isSum ? 'is-sum' : undefined}>
      <th scope="row">{label}</th>
      <td className="n">{text}</td>
    </tr>
  );
}

function DayTransfers({ day, unit }: { day: FacilityDay; unit: UnitOfDay }) {
  const codeOf = (id: string) => day.units.find(({ unit_id }) => unit_id === id)?.unit_code ?? NO_FIGURE;
  const own = day.transfers.filter((move) => move.population === unit.population);
  const moves = [
    ...own
      .filter((move) => move.from_unit_id === unit.unit_id)
      .map((move) => ({ ...move, way: `To ${codeOf(move.to_unit_id)}` })),
    ...own
      .filter((move) => move.to_unit_id === unit.unit_id)
      .map((move) => ({ ...move, way: `From ${codeOf(move.from_unit_id)}` })),
  ];
  if (moves.length === 0) return null;
  return (
    <table className="sheet-table is-narrow">
      <thead>
        <tr>
          <th scope="col">Transfers</th>
          <th scope="col" className="n">
            Sent
          </th>
          <th scope="col" className="n">
            Received
          </th>
        </tr>
      </thead>
      <tbody>
        {moves.map(({ way, out_count, in_count }) => (
          <tr key={way}>
            <th scope="row">{way}</th>
            <td className="n">{formatCount(out_count)}</td>
            <td className="n">{formatCount(in_count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
