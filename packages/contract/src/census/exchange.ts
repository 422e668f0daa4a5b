import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Day, Id, isStorableText, Nothing } from '../values.ts';
import { COUNT_FIELDS, type CountField, Population } from './census.ts';
import { SummaryStep } from './summary.ts';

/** The first columns of a file of unit-days, where files of earlier builds have them. */
const FIRST_COLUMNS = [
  'facility_code',
  'unit_code',
  'census_date',
  'population',
  'opening',
  'admissions',
  'births',
  'transfers_in',
  'discharges',
  'deaths',
  'deaths_u48',
  'transfers_out',
  'ad_same_day',
  'on_leave',
  'counted',
  'beds_staffed',
  'beds_blocked',
  'note',
  'observation',
  // The partners of the transfers as 'ICU:1 ED:2'; without them transfers in a file could not be told apart.
  'transfers_from',
  'transfers_to',
  'variance_reason',
  'capacity_reason',
  'discharge_days',
] as const;

/** For readers; an import passes over them. */
const DERIVED_COLUMNS = ['status', 'closing', 'service_days', 'units_reported', 'units_expected', 'estimate'] as const;

export type UnitDayColumn = (typeof FIRST_COLUMNS)[number] | CountField | (typeof DERIVED_COLUMNS)[number];

/** The columns of a file of unit-days, in their order: what is exported can be imported. A count that came later comes after the first. */
export const UNIT_DAY_COLUMNS: readonly UnitDayColumn[] = [
  ...FIRST_COLUMNS,
  ...COUNT_FIELDS.filter((field) => !(FIRST_COLUMNS as readonly string[]).includes(field)),
  ...DERIVED_COLUMNS,
];

/** The columns of a file of measures: a line for each measure of a facility, or of a unit, over a period. */
export const MEASURE_COLUMNS = [
  'facility_code',
  /** Empty of the whole facility. */
  'unit_code',
  'from',
  'to',
  /** Of all patients, or of one population. */
  'population',
  'measure',
  'value',
  'unit',
  'numerator',
  'denominator',
  /** Which beds bed days are of: licensed, physical or staffed. */
  'beds',
  /** What is in the figure, and what would be in it if all were in. */
  'reports_in',
  'reports_expected',
  'completeness_percent',
] as const;
export type MeasureColumn = (typeof MEASURE_COLUMNS)[number];

/** Files that the census gives. */
export const EXPORT_KINDS = [
  'measures',
  'unit-days',
  'template',
  'saner-measure-report',
  'saner-csv',
  'safr-measure-report',
  'nhsn-csv',
] as const;
export const ExportKind = z.enum(EXPORT_KINDS);
export type ExportKind = z.infer<typeof ExportKind>;

export const exportCensus = endpoint({
  name: 'exportCensus',
  summary:
    'A file of the census of a facility, at most 3,700 days of it; every export is logged. Measures, unit-days and template come as XLSX as well; `by` cuts the range of the measures into steps.',
  method: 'GET',
  path: '/api/census/exports/{kind}',
  access: 'signed-in',
  params: z.strictObject({ kind: ExportKind }),
  query: z.strictObject({
    facility: Id,
    from: Day,
    to: Day,
    format: z.optional(z.enum(['csv', 'xlsx'])),
    by: z.optional(SummaryStep),
  }),
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

/** What an import makes of one line of the file. */
export const ImportRow = z.object({
  /** As a spreadsheet counts: the head is line 1. */
  line: z.int(),
  unit_code: z.nullable(z.string()),
  census_date: z.nullable(Day),
  population: z.nullable(Population),
  outcome: z.enum(['new', 'changed', 'unchanged', 'refused']),
  /** Per cell: the column (null: the whole line), the code of the rule and the sentence. */
  problems: z.array(z.object({ column: z.nullable(z.string()), code: z.string(), message: z.string() })),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const importCensus = endpoint({
  name: 'importCensus',
  summary: 'Reads a CSV or XLSX file of unit-days: a dry run unless apply=true; applied whole or not at all.',
  method: 'POST',
  path: '/api/census/imports',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ facility: Id, apply: z.optional(z.enum(['true', 'false'])) }),
  body: Nothing,
  file: 'file',
  status: 200,
  reply: z.object({
    /** True once it is stored. */
    is_applied: z.boolean(),
    /** SHA-256 of the file in hexadecimal, as the log names it. */
    file_hash: z.string(),
    counts: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
    /** Refused lines first; at most 500. */
    rows: z.array(ImportRow),
  }),
});

export const receiveHl7 = endpoint({
  name: 'receiveHl7',
  summary:
    'Takes one HL7 v2 message of a facility, ADT of its patient system or ORU^R01 of its laboratory; answers its acknowledgement once it is stored: AA, or AE or AR with the code of HL7 table 0357 and the reason.',
  method: 'POST',
  path: '/api/census/feeds/hl7',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    facility: Id,
    message: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(200_000),
        z.refine(isStorableText, 'This text has characters that cannot be stored.'),
      ),
  }),
  status: 200,
  reply: z.object({
    code: z.enum(['AA', 'AE', 'AR']),
    /** HL7 table 0357; null where it was taken. */
    error_code: z.nullable(z.int()),
    reason: z.nullable(z.string()),
    acknowledgement: z.string(),
  }),
});

export const censusExchangeEndpoints = [exportCensus, importCensus, receiveHl7] as const;
