import { measuresOf } from '@wardline/census/measures.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census-summary.ts';
import { formatCount, formatDecimal, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { type Cover, cover, occupancyCover } from '#/features/census/summary/cards/measure-rows.ts';

/** One line of the block, with the reports that its figure is made of. */
export interface DohRow extends Cover {
  readonly label: string;
  readonly figure: string;
  readonly from: string;
}

type Line = readonly [label: string, figure: string, from: string];

/** The lines in the order of the form: of what nobody has reported a dash, not 0. */
export function dohRows(summary: Pick<CensusSummary, 'total' | 'units'>): DohRow[] {
  const { adult_child: sums, newborn } = summary.total;
  const inBeds = occupancyCover(summary.units, 'adult_child');
  return [
    ...bedLines(sums).map((line) => rowOf(line, inBeds)),
    rowOf(['Total inpatient service days', formatCount(sums.service_days), 'newborn apart'], cover(sums)),
    rowOf(occupancyLine(sums), inBeds),
    ...patientLines(sums).map((line) => rowOf(line, cover(sums))),
    ...newbornLines(newborn).map((line) => rowOf(line, cover(newborn))),
  ];
}

function rowOf([label, figure, from]: Line, covered: Cover): DohRow {
  if (covered.reported > 0) return { label, figure, from, ...covered };
  return { label, figure: NO_FIGURE, from: covered.expected > 0 ? 'no report is in' : 'nobody reports it', ...covered };
}

function bedLines(sums: Sums): Line[] {
  return [
    ['Authorised beds, average', bedsOf(sums.licensed_bed_days, sums.days), 'licensed bed days ÷ days'],
    ['Implementing beds, average', bedsOf(sums.staffed_bed_days, sums.days), 'staffed bed days ÷ days'],
  ];
}

function occupancyLine({ occupancy_service_days: taken, licensed_bed_days: beds }: Sums): Line {
  const rate = percent(exactRatio(taken, beds, { factor: 100 }));
  return ['Bed occupancy rate, by authorised beds', rate, `${formatCount(taken)} ÷ ${formatCount(beds)}`];
}

function patientLines(sums: Sums): Line[] {
  const measure = (name: string) => measuresOf(sums).find((one) => one.name === name)?.value ?? null;
  const separations = sums.discharges + sums.deaths;
  const late = sums.deaths - sums.deaths_u48;
  return [
    [
      'Average daily census',
      formatDecimal(measure('average_daily_census')),
      `${formatCount(sums.service_days)} ÷ ${formatCount(sums.days)}`,
    ],
    ['Admissions', formatCount(sums.admissions), 'same-day patients included'],
    ['Discharges alive', formatCount(sums.discharges), 'same-day patients included'],
    ['Admitted and discharged on the same day', formatCount(sums.ad_same_day), 'of the above'],
    ['Deaths', formatCount(sums.deaths), ''],
    ['Deaths under 48 hours', formatCount(sums.deaths_u48), ''],
    ['Deaths, 48 hours and over', formatCount(late), ''],
    [
      'Gross death rate',
      percent(measure('gross_death_rate')),
      `${formatCount(sums.deaths)} ÷ ${formatCount(separations)}`,
    ],
    [
      'Net death rate',
      percent(measure('net_death_rate')),
      `${formatCount(late)} ÷ ${formatCount(separations - sums.deaths_u48)}`,
    ],
    [
      'Average length of stay',
      formatDecimal(measure('alos')),
      sums.discharge_days === null ? 'length of stay not reported' : 'discharge days ÷ separations',
    ],
    ['Length of stay, estimated', formatDecimal(measure('alos_estimated')), 'service days ÷ separations'],
  ];
}

function newbornLines(newborn: Sums): Line[] {
  return [
    ['Live births', formatCount(newborn.births), ''],
    ['Newborn service days', formatCount(newborn.service_days), ''],
  ];
}

/** Whole beds where they did not change. */
function bedsOf(bedDays: number, days: number): string {
  return bedDays % days === 0 ? formatCount(bedDays / days) : formatDecimal(exactRatio(bedDays, days));
}

function percent(value: string | null): string {
  return value === null ? formatDecimal(value) : `${formatDecimal(value)} %`;
}
