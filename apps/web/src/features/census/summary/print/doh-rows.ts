import { areStaysKnown, measuresOf } from '@wardline/census/measures.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';
import { formatCount, formatDecimal, formatPercent, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { type Cover, cover, occupancyCover } from '#/features/census/summary/cards/measure-rows.ts';

/** One line of the block, with the reports that its figure is made of. */
export interface DohRow extends Cover {
  readonly label: string;
  readonly figure: string;
  readonly from: string;
}

type Line = readonly [label: string, figure: string, from: string];

/**
 * The lines in the order of the form: of what nobody has reported a dash, not 0. A rate is divided from figures that stand on
 * the sheet as lines of their own.
 */
export function dohRows(summary: Pick<CensusSummary, 'total' | 'units'>): DohRow[] {
  const { adult_and_child: sums, newborn } = summary.total;
  const inBeds = occupancyCover(summary.units, 'adult_and_child');
  return [
    ...authorisedLines(sums).map((line) => plannedRow(line, cover(sums))),
    ...implementingLines(sums).map((line) => rowOf(line, inBeds)),
    rowOf(['Total inpatient service days', formatCount(sums.service_days), 'newborn apart'], cover(sums)),
    ...occupancyLines(sums).map((line) => rowOf(line, inBeds)),
    ...patientLines(sums).map((line) => rowOf(line, cover(sums))),
    ...newbornLines(newborn).map((line) => rowOf(line, cover(newborn))),
  ];
}

function rowOf([label, figure, from]: Line, covered: Cover): DohRow {
  if (covered.reported > 0) return { label, figure, from, ...covered };
  return { label, figure: NO_FIGURE, from: covered.expected > 0 ? 'no report is in' : 'not reported', ...covered };
}

/** What is so whoever has reported. */
function plannedRow([label, figure, from]: Line, { expected }: Cover): DohRow {
  if (expected === 0) return { label, figure: NO_FIGURE, from: 'not reported', reported: 0, expected };
  return { label, figure, from, reported: expected, expected };
}

function authorisedLines({ licensed_bed_days: beds, days }: Sums): Line[] {
  return [
    ['Days', formatCount(days), 'that have been counted'],
    ['Authorised bed days', formatCount(beds), 'licensed beds of each day, added'],
    ['Authorised beds, average', bedsOf(beds, days), divided(beds, days)],
  ];
}

function implementingLines({ staffed_bed_days: beds, days }: Sums): Line[] {
  return [
    ['Implementing bed days', formatCount(beds), 'staffed beds of each report, added'],
    ['Implementing beds, average', bedsOf(beds, days), divided(beds, days)],
  ];
}

function occupancyLines({ occupancy_service_days: taken, licensed_bed_days: beds }: Sums): Line[] {
  const rate = formatPercent(exactRatio(taken, beds, { factor: 100 }));
  return [
    ['Service days in these beds', formatCount(taken), 'without units that have no beds of their own'],
    ['Bed occupancy rate, by authorised beds', rate, divided(taken, beds)],
  ];
}

function patientLines(sums: Sums): Line[] {
  const { service_days, days, discharges, deaths, deaths_u48 } = sums;
  const measure = (name: string) => measuresOf(sums).find((one) => one.name === name)?.value ?? null;
  const separations = discharges + deaths;
  const late = deaths - deaths_u48;
  return [
    ['Average daily census', formatDecimal(measure('average_daily_census')), divided(service_days, days)],
    ['Admissions', formatCount(sums.admissions), 'same-day patients included'],
    ['Discharges alive', formatCount(discharges), 'same-day patients included'],
    ['Admitted and discharged on the same day', formatCount(sums.ad_same_day), 'of the above'],
    ['Deaths', formatCount(deaths), ''],
    ['Deaths under 48 hours', formatCount(deaths_u48), ''],
    ['Deaths, 48 hours and over', formatCount(late), ''],
    ['Separations', formatCount(separations), `${formatCount(discharges)} + ${formatCount(deaths)}`],
    [
      'Separations without deaths under 48 hours',
      formatCount(separations - deaths_u48),
      `${formatCount(separations)} − ${formatCount(deaths_u48)}`,
    ],
    ['Gross death rate', formatPercent(measure('gross_death_rate')), divided(deaths, separations)],
    ['Net death rate', formatPercent(measure('net_death_rate')), divided(late, separations - deaths_u48)],
    ...stayLines(sums),
  ];
}

/** From the stays where every report tells them; else estimated, with how many do. */
function stayLines(sums: Sums): Line[] {
  const { discharges, deaths, service_days, discharge_days, separation_reports, discharge_days_reports } = sums;
  const separations = discharges + deaths;
  const measure = (name: string) => formatDecimal(measuresOf(sums).find((one) => one.name === name)?.value ?? null);
  if (areStaysKnown(sums)) {
    return [
      ['Discharge days', formatCount(discharge_days), 'stays of the discharged, added'],
      ['Average length of stay', measure('alos'), divided(discharge_days, separations)],
    ];
  }
  return [
    ['Length of stay, estimated', measure('alos_estimated'), divided(service_days, separations)],
    [
      'Reports with discharge days',
      formatCount(discharge_days_reports),
      `of ${formatCount(separation_reports)} with a discharge or death`,
    ],
  ];
}

function divided(numerator: number, denominator: number): string {
  return `${formatCount(numerator)} ÷ ${formatCount(denominator)}`;
}

function newbornLines(newborn: Sums): Line[] {
  return [
    ['Live births', formatCount(newborn.births), ''],
    ['Newborn service days', formatCount(newborn.service_days), ''],
  ];
}

/** Whole beds where they did not change. */
function bedsOf(bedDays: number, days: number): string {
  if (days === 0) return NO_FIGURE;
  return bedDays % days === 0 ? formatCount(bedDays / days) : formatDecimal(exactRatio(bedDays, days));
}
