import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Day, Id, Instant, Nothing } from '../values.ts';
import { Beds, Estimate, Person, Population, UnitDayCondition, UnitDayStatus } from './census.ts';
import { Bands, Denominator, FACILITY_CENSUS, FacilityDayParams, FacilityParams } from './facility.ts';

/** One unit and population as the board shows it now. */
export const BoardUnit = z.object({
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  population: Population,
  counts_in_occupancy: z.boolean(),
  status: z.nullable(UnitDayStatus),
  conditions: z.array(UnitDayCondition),
  /** Present at the census hour, or as the newer snapshot says; null when this date has neither. */
  occupied: z.nullable(z.int()),
  /** Where `occupied` is from. */
  basis: z.nullable(z.enum(['report', 'snapshot'])),
  counted_at: z.nullable(Instant),
  beds: Beds,
  transfers_in: z.nullable(z.int()),
  transfers_out: z.nullable(z.int()),
  is_on_time: z.nullable(z.boolean()),
  /** By how many the head count of the report differs from who should be there, and why; null until it is handed in. */
  variance: z.optional(z.nullable(z.int())),
  variance_reason: z.optional(z.nullable(z.string())),
  variance_for: z.optional(z.nullable(z.int())),
  /** The newest closed count before this date, for a unit that is missing. */
  last_known: z.nullable(z.object({ census_date: Day, present: z.int() })),
  /** While the report is missing; `occupied` never is one. */
  estimate: z.optional(z.nullable(Estimate)),
  /** Who reports for it. */
  people: z.array(Person),
  discussion_chat_id: z.nullable(Id),
  /** Of a place without beds: who waits there for the board's boarding_hours or longer, by the patient system; null without one. */
  boarding_over: z.optional(z.nullable(z.int())),
});
export type BoardUnit = z.infer<typeof BoardUnit>;

/** Something that asks to be looked at, with the rule it comes from. */
export const CensusAlert = z.object({
  id: Id,
  rule: z.enum([
    'over_high',
    'over_staffed',
    'report_missing',
    'transfer_gap',
    'head_count_variance',
    'often_restated',
    'forecast_breach',
    'feed_silent',
    'feed_refused',
  ]),
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  /** Null where it is about the unit as a whole; a board that a device kept from before says nothing of it. */
  population: z.optional(z.nullable(Population)),
  census_date: Day,
  message: z.string(),
  raised_at: Instant,
  acknowledged_at: z.nullable(Instant),
  acknowledged_by: z.nullable(Person),
  /** Since when it does not hold any more; left out in lists of those that do. */
  cleared_at: z.optional(z.nullable(Instant)),
});
export type CensusAlert = z.infer<typeof CensusAlert>;

export const getCensusBoard = endpoint({
  name: 'getCensusBoard',
  summary: 'Every unit of a facility as it is now, for the newest census date that has come.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/board`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({
    facility_id: Id,
    census_date: Day,
    time_zone: z.string(),
    census_at: Instant,
    due_at: Instant,
    bands: Bands,
    boarding_hours: z.optional(z.int()),
    units: z.array(BoardUnit),
    alerts: z.array(CensusAlert),
  }),
});

export const getCensusAlert = endpoint({
  name: 'getCensusAlert',
  summary: 'One alert, and whether somebody takes care of it.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/alerts/{alert}`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, alert: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusAlert,
});

export const acknowledgeAlert = endpoint({
  name: 'acknowledgeAlert',
  summary: 'Says that somebody has seen an alert and takes care of it.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/alerts/{alert}/acknowledge`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, alert: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusAlert,
});

export const remindUnit = endpoint({
  name: 'remindUnit',
  summary: 'Asks the people of a unit for the report they owe, in its discussion; at most every ten minutes.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/days/{date}/remind`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: z.strictObject({ unit_id: Id, population: Population }),
  status: 200,
  reply: z.object({ discussion_chat_id: Id }),
});

export const getCensusHeatmap = endpoint({
  name: 'getCensusHeatmap',
  summary: 'Service days and beds of every unit on every day of a range of at most 400 days.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/heatmap`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({ from: Day, to: Day }),
  body: Nothing,
  status: 200,
  reply: z.object({
    facility_id: Id,
    from: Day,
    to: Day,
    /** Of which beds `bed_days` are. */
    denominator: Denominator,
    bands: Bands,
    /** The facility's days, one letter each: `o` open, `s` signed, `l` locked, `r` reopened. */
    days: z.optional(z.string()),
    units: z.array(
      z.object({
        unit_id: Id,
        unit_code: z.string(),
        unit_name: z.string(),
        population: Population,
        counts_in_occupancy: z.boolean(),
        /** One entry a day from `from` on; null where nothing was handed in. */
        service_days: z.array(z.nullable(z.int())),
        present: z.array(z.nullable(z.int())),
        bed_days: z.array(z.nullable(z.int())),
        /** One letter a day: `-` not expected, `m` not in yet, `e` not in and estimated, `s` submitted, `a` approved, `l` locked. */
        marks: z.string(),
        /** What is estimated, by the day's index; in none of the numbers above. */
        estimates: z.optional(
          z.array(z.object({ index: z.int(), census: z.int(), by: z.string(), reason: z.string() })),
        ),
        /** Indices of the days that were restated. */
        restated: z.array(z.int()),
        late: z.array(z.int()),
      }),
    ),
  }),
});

const ForecastPoint = z.object({
  census_date: Day,
  value: z.number(),
  low: z.number(),
  high: z.number(),
  /** Staffed beds that the settings plan for the day, without a plan those of the newest report; null where there are none. */
  beds: z.nullable(z.int()),
  /** Of the facility: who is expected in units without beds (boarders), and in no other number; null without one, or if unknown. */
  outside: z.nullable(z.number()),
});

/** What is expected of the coming days, and how wrong the same method was on the days before. */
export const ForecastSeries = z.object({
  /** Null for the facility: its units with beds together, forecast as one: alone they need not add up to it. */
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  population: Population,
  counts_in_occupancy: z.boolean(),
  /** Null where there is no forecast, with the reason. */
  method: z.nullable(z.enum(['seasonal_naive', 'holt_winters'])),
  absent_because: z.nullable(z.enum(['too_short', 'too_incomplete'])),
  /** Who was there, and in how many staffed beds; null where a report is missing. */
  history: z.array(z.object({ census_date: Day, present: z.nullable(z.int()), beds: z.nullable(z.int()) })),
  /** Of a unit that closes only the days on which it is open. */
  points: z.array(ForecastPoint),
  /** Mean absolute error one day ahead over the test days, in patients. */
  mae: z.nullable(z.number()),
  baseline_mae: z.nullable(z.number()),
  mase: z.nullable(z.number()),
  /** Share of the test days whose count lay inside the interval; the interval means to hold `interval`. */
  coverage: z.nullable(z.number()),
  interval: z.number(),
  test_days: z.int(),
});
export type ForecastSeries = z.infer<typeof ForecastSeries>;

export const getCensusForecast = endpoint({
  name: 'getCensusForecast',
  summary: 'The census of the next seven days for the facility and each unit, with its measured error.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/forecast`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ facility_id: Id, from: Day, series: z.array(ForecastSeries) }),
});

export const censusBoardEndpoints = [
  getCensusBoard,
  getCensusAlert,
  acknowledgeAlert,
  remindUnit,
  getCensusHeatmap,
  getCensusForecast,
] as const;
