import * as z from 'zod/mini';
import { Id } from '../values.ts';
import { DayText } from './census.ts';

/** What the addresses of a facility's census begin with. */
export const FACILITY_CENSUS = '/api/census/facilities/{facility}';

export const FacilityParams = z.strictObject({ facility: Id });
export const FacilityDayParams = z.strictObject({ facility: Id, date: DayText });

/** The beds that occupancy is a share of. */
export const Denominator = z.enum(['licensed', 'physical', 'staffed']);
export type Denominator = z.infer<typeof Denominator>;

/** How full is too full, in per cent of staffed beds. */
export const Bands = z.object({ target: z.int(), high: z.int(), full: z.int() });
export type Bands = z.infer<typeof Bands>;
