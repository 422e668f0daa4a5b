import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Interpretation } from '../interpretation.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page, Seq, Text } from '../values.ts';

/** What became of a finding after it was cited: another value by a later version of the report, or all of it an error. */
const CitationNow = z.object({
  state: z.enum(['amended', 'entered_in_error']),
  report_version: z.int(),
  /** Null where the report has the finding no longer, and of an error. */
  value: z.nullable(z.string()),
  interpretation: z.nullable(Interpretation),
});
export type CitationNow = z.infer<typeof CitationNow>;

/** A finding of a signed report as a message cites it: what it said then, for ever. */
export const Citation = z.object({
  examination_id: Id,
  /** Of the examination. */
  title: z.string(),
  field: z.string(),
  label: z.string(),
  /** As people read it; of a long text the beginning. */
  value: z.string(),
  /** As it is printed. */
  unit: z.nullable(z.string()),
  interpretation: z.nullable(Interpretation),
  report_version: z.int(),
  /** Left out while what was cited stands. */
  now: z.optional(z.nullable(CitationNow)),
});
export type Citation = z.infer<typeof Citation>;

/** A message that cites findings of an examination. */
export const CitingMessage = z.object({
  message_id: Id,
  seq: Seq,
  sender: z.object({ user_id: Id, name: z.string() }),
  created_at: Instant,
  /** At most 160 characters of the text. */
  excerpt: z.string(),
  /** Which of its findings, in the version that was cited. */
  cited: z.array(z.object({ field: z.string(), report_version: z.int() })),
});
export type CitingMessage = z.infer<typeof CitingMessage>;

export const listCitations = endpoint({
  name: 'listCitations',
  summary:
    'The messages that cite findings of an examination, or one of them, the newest first: those that I may read.',
  method: 'GET',
  path: '/api/examinations/{examination}/citations',
  access: 'signed-in',
  params: z.strictObject({ examination: Id }),
  query: z.strictObject({
    field: z.optional(Text(1, 60)),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: Page(CitingMessage),
});

export const citationEndpoints = [listCitations] as const;
