import { addSums } from '@wardline/census/measures.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { counted, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { formatPeriod } from '#/features/census/core/period/period.ts';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import { dohRows } from './doh-rows.ts';
import type { SheetContext } from './sheet-context.ts';
import { SheetFoot } from './sheet-foot.tsx';
import { Signatures } from './signatures.tsx';

interface DohSheetProps {
  readonly context: SheetContext;
  readonly summary: CensusSummary;
  readonly logHead: { readonly date: string; readonly head: string } | null;
}

/** The block of the Department of Health's statistical report that the census answers; its rate is by authorised beds. */
export function DohSheet({ context, summary, logHead }: DohSheetProps) {
  const { adult_and_child: sums, newborn } = summary.total;
  const all = addSums([sums, newborn], sums.days);
  return (
    <Sheet
      title="DOH statistical report: inpatient census"
      subtitle={formatPeriod(context.period)}
      facilityName={context.facility.name}
      foot={
        <SheetFoot context={context} reported={all.units_reported} expected={all.units_expected} logHead={logHead} />
      }
    >
      <table className="sheet-table">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="n">
              Figure
            </th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {dohRows(summary).map(({ label, figure, from, reported, expected }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="n">
                {figure}
                {reported < expected && figure !== NO_FIGURE && '*'}
              </td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="sheet-note">
        Adults and children unless it says newborn. * reports are missing: the figure is of those that are in. The
        census does not know the condition of the discharged; those lines of the form come from the medical records.
      </p>
      {summary.amended_since_signed > 0 && (
        <p className="sheet-note">
          {counted(summary.amended_since_signed, 'report was', 'reports were')} corrected or restated since the day was
          signed. These are the figures of today; the sheet of each day prints what was signed.
        </p>
      )}
      <Signatures names={['Prepared by', 'Chief of hospital']} />
    </Sheet>
  );
}
