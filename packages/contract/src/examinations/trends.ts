import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Interpretation } from '../interpretation.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';

/** A number of a signed report that stands, as it was entered. */
export const TrendValue = z.object({
  examination_id: Id,
  /** Of the examination. */
  title: z.string(),
  /** When it was found, else when the examination was begun. */
  at: Instant,
  value: z.string(),
  /** Null where its form states none. */
  unit: z.nullable(z.object({ code: z.string(), label: z.string() })),
  /** By which power of ten it is multiplied to be in the unit of the field that was asked for; null where nothing does that exactly. */
  power_of_ten: z.optional(z.nullable(z.int())),
  interpretation: z.nullable(Interpretation),
  report_version: z.int(),
});
export type TrendValue = z.infer<typeof TrendValue>;

export const listTrend = endpoint({
  name: 'listTrend',
  summary:
    'What the signed reports of a chat say of the same thing as a numeric field of an examination (the same LOINC code, or the same field of its form), the newest first. Units are those that were entered by.',
  method: 'GET',
  path: '/api/examinations/{examination}/trend',
  access: 'signed-in',
  params: z.strictObject({ examination: Id }),
  query: z.strictObject({ field: Text(1, 60), cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(TrendValue),
});

export const trendEndpoints = [listTrend] as const;
