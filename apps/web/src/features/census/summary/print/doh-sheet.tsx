import { addSums, measuresOf } from '@wardline/census/measures.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary } from '@wardline/contract/census-summary.ts';
import { countWords, decimalWords, NO_FIGURE } from '../../parts/figure-words.ts';
import { periodWords } from '../../parts/period.ts';
import { Sheet, type SheetFacts, Signatures } from './sheet.tsx';
import { SheetFoot } from './sheet-foot.tsx';

interface DohSheetProps {
  readonly facts: SheetFacts;
  readonly summary: CensusSummary;
  readonly logHead: { readonly date: string; readonly head: string } | null;
}

/** The block of the Department of Health's statistical report that the census answers; its rate is by authorised beds. */
export function DohSheet({ facts, summary, logHead }: DohSheetProps) {
  const { adult_child: sums, newborn } = summary.total;
  const all = addSums([sums, newborn], sums.days);
  const measure = (name: string) => measuresOf(sums).find((one) => one.name === name)?.value ?? null;
  const separations = sums.discharges + sums.deaths;
  const rows: ReadonlyArray<readonly [label: string, value: string, from: string]> = [
    ['Authorised beds, average', bedsOf(sums.licensed_bed_days, sums.days), 'licensed bed days ÷ days'],
    ['Implementing beds, average', bedsOf(sums.staffed_bed_days, sums.days), 'staffed bed days ÷ days'],
    ['Total inpatient service days', countWords(sums.service_days), 'newborn apart'],
    [
      'Bed occupancy rate, by authorised beds',
      percent(exactRatio(sums.occupancy_service_days, sums.licensed_bed_days, { factor: 100 })),
      `${countWords(sums.occupancy_service_days)} ÷ ${countWords(sums.licensed_bed_days)}`,
    ],
    [
      'Average daily census',
      decimalWords(measure('average_daily_census')),
      `${countWords(sums.service_days)} ÷ ${countWords(sums.days)}`,
    ],
    ['Admissions', countWords(sums.admissions), 'same-day patients included'],
    ['Discharges alive', countWords(sums.discharges), 'same-day patients included'],
    ['Admitted and discharged on the same day', countWords(sums.ad_same_day), 'of the above'],
    ['Deaths', countWords(sums.deaths), ''],
    ['Deaths under 48 hours', countWords(sums.deaths_u48), ''],
    ['Deaths, 48 hours and over', countWords(sums.deaths - sums.deaths_u48), ''],
    [
      'Gross death rate',
      percent(measure('gross_death_rate')),
      `${countWords(sums.deaths)} ÷ ${countWords(separations)}`,
    ],
    [
      'Net death rate',
      percent(measure('net_death_rate')),
      `${countWords(sums.deaths - sums.deaths_u48)} ÷ ${countWords(separations - sums.deaths_u48)}`,
    ],
    [
      'Average length of stay',
      decimalWords(measure('alos')),
      sums.discharge_days === null ? 'stays are not known' : 'discharge days ÷ separations',
    ],
    ['Length of stay, estimated', decimalWords(measure('alos_estimated')), 'service days ÷ separations'],
    ['Live births', countWords(newborn.births), ''],
    ['Newborn service days', countWords(newborn.service_days), ''],
  ];
  return (
    <Sheet
      title="DOH statistical report: inpatient census"
      subtitle={periodWords(facts.period)}
      facts={facts}
      foot={<SheetFoot facts={facts} reported={all.units_reported} expected={all.units_expected} logHead={logHead} />}
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
          {rows.map(([label, value, from]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="n">
                {value}
                {sums.units_reported < sums.units_expected && value !== NO_FIGURE && '*'}
              </td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="sheet-note">
        Adults and children unless it says newborn, {countWords(sums.days)} days. * reports are missing. The census does
        not know the condition of the discharged; those lines of the form come from the medical records.
      </p>
      <Signatures names={['Prepared by', 'Chief of hospital']} />
    </Sheet>
  );
}

/** Whole beds where they did not change. */
function bedsOf(bedDays: number, days: number): string {
  return bedDays % days === 0 ? countWords(bedDays / days) : decimalWords(exactRatio(bedDays, days));
}

function percent(value: string | null): string {
  return value === null ? decimalWords(value) : `${decimalWords(value)} %`;
}
