import { formatReasonCode } from '@wardline/census/log/log-labels.ts';
import { figureLabel } from '@wardline/census/report-figures.ts';
import type {
  FacilityDay,
  SignedDay,
  SignedRestatement,
  SignedSource,
  UnitOfDay,
} from '@wardline/contract/census/day.ts';
import { formatCount, formatDifference, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { namesOf } from '#/features/census/core/unit-names.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import type { SheetContext } from './sheet-context.ts';

/** A day as its sheets print it: under a signature what was signed, whatever was restated since. */
export interface PrintedDay {
  readonly day: FacilityDay;
  readonly signed: SignedDay;
}

/** Puts what was signed in the place of what the day says now. */
export function toPrintedDay(day: FacilityDay, signed: SignedDay): PrintedDay {
  if (signed.signed === null) return { day, signed };
  const { units, denominator, transfers, transfer_gap, override_reason } = signed.signed.figures;
  const reports = units.map((unit): UnitOfDay => ({ ...unit, conditions: [], discussion_chat_id: null }));
  const counts = {
    units_expected: reports.length,
    units_submitted: reports.length,
    units_on_time: reports.filter(({ is_on_time }) => is_on_time).length,
  };
  return {
    day: { ...day, denominator, transfers, transfer_gap, override_reason, ...counts, units: reports },
    signed,
  };
}

/** What was restated of one report since its day was signed, or of all of them. */
export function restatementsOf({ signed }: SignedDay, unit?: UnitOfDay): readonly SignedRestatement[] {
  const all = signed?.restatements ?? [];
  return unit ? all.filter((one) => one.unit_id === unit.unit_id && one.population === unit.population) : all;
}

const SOURCES: Readonly<Record<SignedSource, string>> = {
  stored: 'The figures are those that were signed.',
  rebuilt:
    'The figures were rebuilt: this day was signed before signed figures were kept. They are from the kept versions of its reports and come to the totals of the signature in the log; which beds occupancy is of is today’s setting.',
  unknown:
    'The figures are today’s, not those that were signed: this day was signed before signed figures were kept, and the versions of its reports do not tell them.',
  changed:
    'The figures are today’s. Those kept with the signature were changed since, in the database: they are not what the log tells of. Verify the log.',
};

interface SignedPartProps extends PrintedDay {
  readonly context: SheetContext;
  /** For the sheet of one unit. */
  readonly unit?: UnitOfDay;
}

/** Who signed what, and beside it what was restated since, when, by whom and why. */
export function SignedPart({ day, signed, context, unit }: SignedPartProps) {
  const zone = context.facility.time_zone;
  const moment = (at: string) => momentIn(zone, Date.parse(at));
  return (
    <>
      {signed.signed !== null && (
        <p>
          Signed by {signed.signed.figures.signed_by?.name ?? NO_FIGURE}, {moment(signed.signed.figures.signed_at)}.{' '}
          {SOURCES[signed.signed.source]}
        </p>
      )}
      {day.status === 'reopened' && <p>Reopened, not signed again: {day.reopen_reason}</p>}
      <Restated day={day} signed={signed} zone={zone} {...(unit && { unit })} />
      {signed.earlier.map(({ signed_at, signed_by, hash }) => (
        <p key={hash + signed_at} className="sheet-note">
          Signed before, by {signed_by?.name ?? NO_FIGURE}, {moment(signed_at)}, and reopened since. SHA-256 of what was
          signed then: <span className="mono">{hash}</span>
        </p>
      ))}
    </>
  );
}

function Restated({ day, signed, unit, zone }: PrintedDay & { unit?: UnitOfDay; zone: string }) {
  const restated = restatementsOf(signed, unit);
  const source = signed.signed?.source;
  const isKnown = source === 'stored' || source === 'rebuilt';
  if (restated.length === 0) return isKnown ? <p>Nothing of it was restated since.</p> : null;
  const nameOf = namesOf(day.units);
  return (
    <table className="sheet-table">
      <caption>Restated since it was signed. What was signed stands above.</caption>
      <thead>
        <tr>
          <th scope="col">Unit</th>
          <th scope="col">Figure</th>
          <th scope="col" className="n">
            Was
          </th>
          <th scope="col" className="n">
            Restated to
          </th>
          <th scope="col">When, by whom</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {restated.flatMap((one) =>
          one.changes.map(({ field, from, to }) => (
            <tr key={`${one.unit_id}-${one.population}-${one.at}-${field}`}>
              <th scope="row">{nameOf(one)}</th>
              <td>{figureLabel(field)}</td>
              <td className="n">{formatFigure(field, from)}</td>
              <td className="n">{formatFigure(field, to)}</td>
              <td>{formatAuthor(one, zone)}</td>
              <td>{formatWhy(one)}</td>
            </tr>
          )),
        )}
      </tbody>
      {unit === undefined && <Totals day={day} restated={restated} />}
    </table>
  );
}

const TOTALLED = ['opening', 'closing', 'present', 'service_days'] as const;

/** What the facility’s figures come to with all of it. */
function Totals({ day, restated }: { day: FacilityDay; restated: readonly SignedRestatement[] }) {
  const changes = restated.flatMap((one) => one.changes);
  const rows = TOTALLED.map((field) => {
    const was = day.units.reduce((sum, unit) => sum + (unit[field] ?? 0), 0);
    const by = changes
      .filter((change) => change.field === field)
      .reduce((sum, { from, to }) => sum + Number(to ?? 0) - Number(from ?? 0), 0);
    return { field, was, is: was + by };
  });
  return (
    <tfoot>
      {rows
        .filter(({ was, is }) => was !== is)
        .map(({ field, was, is }) => (
          <tr key={field}>
            <th scope="row">All units</th>
            <td>{figureLabel(field)}</td>
            <td className="n">{formatCount(was)}</td>
            <td className="n">{formatCount(is)}</td>
            <td />
            <td />
          </tr>
        ))}
    </tfoot>
  );
}

function formatFigure(field: string, value: number | string | null): string {
  if (typeof value !== 'number') return value ?? NO_FIGURE;
  return field === 'variance' ? formatDifference(String(value)) : formatCount(value);
}

function formatAuthor({ at, by }: SignedRestatement, zone: string): string {
  if (at === null) return 'not known: changed in the database';
  return `${momentIn(zone, Date.parse(at))}, ${by?.name ?? NO_FIGURE}`;
}

function formatWhy({ reason, reason_code }: SignedRestatement): string {
  const code = reason_code === null || reason_code === 'other' ? null : formatReasonCode(reason_code);
  return [code, reason].filter((text) => text !== null && text !== '').join(': ') || NO_FIGURE;
}
