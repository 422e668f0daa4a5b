import { addSums } from '@wardline/census/measures.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';
import { counted, formatCount, formatDecimal, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { formatPeriod, type PeriodKind, shortDay } from '#/features/census/core/period/period.ts';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import type { SheetContext } from './sheet-context.ts';
import { SheetFoot } from './sheet-foot.tsx';
import { Signatures } from './signatures.tsx';

interface CompilationSheetProps {
  readonly context: SheetContext;
  readonly summary: CensusSummary;
  readonly by: 'day' | 'month' | 'total' | 'quarter' | 'year';
  readonly newest: string;
  readonly logHead: { readonly date: string; readonly head: string } | null;
}

type Column = { readonly head: string; readonly of: (sums: Sums) => number };

const ADULTS: readonly Column[] = [
  { head: 'Adm.', of: ({ admissions }) => admissions },
  { head: 'Trf in', of: ({ transfers_in }) => transfers_in },
  { head: 'Disch.', of: ({ discharges }) => discharges },
  { head: 'Deaths', of: ({ deaths }) => deaths },
  { head: 'Trf out', of: ({ transfers_out }) => transfers_out },
  { head: 'Census', of: ({ census_days }) => census_days },
  { head: 'A&D', of: ({ ad_same_day }) => ad_same_day },
  { head: 'Service days', of: ({ service_days }) => service_days },
];
const NEWBORN: readonly Column[] = [{ head: 'Births', of: ({ births }) => births }, ...ADULTS];

/** The classic form: one row a day, adults and children beside newborn; a day that lacks a report carries a star. */
export function CompilationSheet({ context, summary, by, newest, logHead }: CompilationSheetProps) {
  const isDaily = by === 'day';
  const rows = summary.steps.filter(({ from, sums }) => from <= newest && sums.adult_and_child.days > 0);
  const { adult_and_child, newborn } = summary.total;
  const all = addSums([adult_and_child, newborn], adult_and_child.days);
  return (
    <Sheet
      isWide
      title={titleOf(by, context.period.kind)}
      subtitle={formatPeriod(context.period)}
      facilityName={context.facility.name}
      foot={
        <SheetFoot context={context} reported={all.units_reported} expected={all.units_expected} logHead={logHead} />
      }
    >
      <table className="sheet-table is-dense">
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={ADULTS.length}>
              Adults and children
            </th>
            <th scope="colgroup" colSpan={NEWBORN.length}>
              Newborn
            </th>
            <td />
          </tr>
          <tr>
            <th scope="col">{isDaily ? 'Day' : 'Month'}</th>
            {ADULTS.map(headOf)}
            {NEWBORN.map(headOf)}
            <th scope="col" className="n">
              Reports
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, sums }) => (
            <Row
              key={from}
              label={isDaily ? shortDay(from) : formatPeriod({ kind: 'month', from, to: from })}
              sums={sums}
            />
          ))}
        </tbody>
        <tfoot>
          <Row label="Sum" sums={summary.total} isCensusAdded={false} />
        </tfoot>
      </table>
      <p className="sheet-note">
        Average daily census: adults and children {formatAverage(adult_and_child)}, newborn {formatAverage(newborn)}.
        Admissions, discharges and deaths include same-day patients (A&amp;D). * a report is missing.
      </p>
      {summary.amended_since_signed > 0 && (
        <p className="sheet-note">
          {counted(summary.amended_since_signed, 'report was', 'reports were')} corrected or restated since the day was
          signed. These are the figures of today; the sheet of each day prints what was signed.
        </p>
      )}
      <Signatures names={['Compiled by', 'Checked by']} />
    </Sheet>
  );
}

function titleOf(by: CompilationSheetProps['by'], kind: PeriodKind): string {
  if (by !== 'day') return 'Compilation by month';
  return kind === 'month' ? 'Monthly compilation' : 'Compilation by day';
}

/** With what it is divided from. Of what nobody has reported there is no average; that of a part carries the star. */
function formatAverage({ service_days, days, units_reported, units_expected }: Sums): string {
  if (units_reported === 0) return NO_FIGURE;
  const star = units_reported < units_expected ? '*' : '';
  return `${formatDecimal(exactRatio(service_days, days))}${star} (${formatCount(service_days)} ÷ ${counted(days, 'day')})`;
}

function headOf({ head }: Column) {
  return (
    <th key={head} scope="col" className="n">
      {head}
    </th>
  );
}

interface RowProps {
  readonly label: string;
  readonly sums: CensusSummary['total'];
  /** A census is a stock: over days it is not added. */
  readonly isCensusAdded?: boolean;
}

function Row({ label, sums: { adult_and_child, newborn }, isCensusAdded = true }: RowProps) {
  const reported = adult_and_child.units_reported + newborn.units_reported;
  const expected = adult_and_child.units_expected + newborn.units_expected;
  const cell = (sums: Sums, { head, of }: Column) => (
    <td key={head} className="n">
      {head === 'Census' && (!isCensusAdded || sums.days > 1)
        ? ''
        : formatCount(sums.units_reported === 0 ? null : of(sums))}
    </td>
  );
  return (
    <tr>
      <th scope="row">
        {label}
        {reported < expected && '*'}
      </th>
      {ADULTS.map((column) => cell(adult_and_child, column))}
      {NEWBORN.map((column) => cell(newborn, column))}
      <td className="n">
        {formatCount(reported)} of {formatCount(expected)}
      </td>
    </tr>
  );
}
