import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Day, Id, Nothing } from '../values.ts';
import { fieldsOf, Person, Population, SUMMED_FIELDS } from './census.ts';
import { FacilityDayStatus, TransferCell } from './day.ts';
import { Bands, Denominator, FACILITY_CENSUS, FacilityParams } from './facility.ts';
import { NursingSummary } from './nursing.ts';

/** Numerators and denominators of a period, to be divided last. Counts of patients, patient days and bed days. */
export const Sums = z.object({
  /** Calendar days of the period up to the newest census date that has come. */
  days: z.int(),
  units_expected: z.int(),
  units_reported: z.int(),
  units_on_time: z.int(),
  /** Sum of the closing counts: a stock summed over days, only ever shown divided by days. */
  census_days: z.int(),
  service_days: z.int(),
  /** Service days of the units that count in occupancy; the numerator over bed_days. */
  occupancy_service_days: z.int(),
  /** Discharges and deaths of the same units: what is set against their beds. Boarders leave without having had one. */
  occupancy_separations: z.int(),
  /** Beds of the facility's denominator (licensed, physical or staffed) of the reported unit-days that count in occupancy. */
  bed_days: z.int(),
  /** Licensed beds of each day, of the open units that count in occupancy: a fact of the date, reported or not. */
  licensed_bed_days: z.int(),
  staffed_bed_days: z.int(),
  blocked_bed_days: z.int(),
  ...fieldsOf(SUMMED_FIELDS, z.int()),
  /** Days that the discharged had stayed, of the reports that say so. */
  discharge_days: z.int(),
  /** Of those, the days of the units that count in occupancy. */
  occupancy_discharge_days: z.int(),
  /** Reports with a discharge or death, and how many of those say their discharge days. */
  separation_reports: z.int(),
  discharge_days_reports: z.int(),
});
export type Sums = z.infer<typeof Sums>;

const SumsByPopulation = z.object({ adult_and_child: Sums, newborn: Sums });
export type SumsByPopulation = z.infer<typeof SumsByPopulation>;

export const SUMMARY_STEPS = ['total', 'day', 'month', 'quarter', 'year'] as const;
export const SummaryStep = z.enum(SUMMARY_STEPS);
export type SummaryStep = z.infer<typeof SummaryStep>;

export const CensusSummary = z.object({
  facility_id: Id,
  from: Day,
  to: Day,
  by: SummaryStep,
  time_zone: z.string(),
  denominator: Denominator,
  bands: Bands,
  total: SumsByPopulation,
  /** In time's order; a step that the range cuts is summed over its part in the range. */
  steps: z.array(z.object({ from: Day, to: Day, status: z.nullable(FacilityDayStatus), sums: SumsByPopulation })),
  units: z.array(
    z.object({
      unit_id: Id,
      unit_code: z.string(),
      unit_name: z.string(),
      population: Population,
      counts_in_occupancy: z.boolean(),
      sums: Sums,
    }),
  ),
  /** Sums over the range. */
  transfers: z.array(TransferCell),
  overrides: z.array(z.object({ census_date: Day, transfer_gap: z.int(), reason: z.string(), by: z.nullable(Person) })),
  /** Unit-days that are missing, the newest first, at most 100. */
  missing: z.array(z.object({ unit_id: Id, unit_code: z.string(), population: Population, census_date: Day })),
  /** Nursing hours per patient day, of the whole months in the range. */
  nursing: NursingSummary,
  restated_unit_days: z.int(),
  amended_since_signed: z.int(),
});
export type CensusSummary = z.infer<typeof CensusSummary>;

export const getCensusSummary = endpoint({
  name: 'getCensusSummary',
  summary:
    'Numerators and denominators of a range of at most 3,700 days (1,100 day by day), with completeness, steps, units and transfers.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/summary`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({ from: Day, to: Day, by: z.optional(SummaryStep) }),
  body: Nothing,
  status: 200,
  reply: CensusSummary,
});

export const censusSummaryEndpoints = [getCensusSummary] as const;
