import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, Nothing } from '../values.ts';

/** What was reported elsewhere and taken over, from a file or from the laboratory's feed. */
export const ImportedFrom = z.object({
  by: z.object({ user_id: Id, name: z.string() }),
  at: Instant,
  /** Of the report in the system that it comes from. */
  identifier: z.string(),
  /** The system that the patient’s number is of, as the file names it. */
  source: z.nullable(z.string()),
  /** As the file names them. */
  reported_by: z.array(z.string()),
  reported_at: Instant,
  /** Of what the laboratory sent, whose number is the identifier: how sure it is, a LaboratoryStatus. Left out of a file. */
  laboratory: z.optional(z.string()),
});
export type ImportedFrom = z.infer<typeof ImportedFrom>;

/** What an import makes of one report or one of its findings. */
export const ImportRow = z.object({
  /** The place of the entry in the file; the first is 1. */
  line: z.int(),
  kind: z.enum(['report', 'finding']),
  title: z.string(),
  /** A finding with its unit and flag; when a report was issued. */
  value: z.string(),
  /** Known: it is in the chat already. */
  outcome: z.enum(['new', 'known', 'refused', 'left_out']),
  problems: z.array(z.object({ column: z.nullable(z.string()), code: z.string(), message: z.string() })),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const importExaminations = endpoint({
  name: 'importExaminations',
  summary:
    'Takes the reports of a FHIR R4 Bundle into a chat about the same patient, for who signs there: a dry run unless apply=true; applied whole or not at all. Nothing that is there changes; a report that is there already is left.',
  method: 'POST',
  path: '/api/chats/{chat}/fhir',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: z.strictObject({ apply: z.optional(z.enum(['true', 'false'])) }),
  body: Nothing,
  file: 'file',
  status: 200,
  reply: z.object({
    is_applied: z.boolean(),
    /** SHA-256 of the file in hexadecimal, as the audit names it. */
    file_hash: z.string(),
    /** Of reports; `left_out` of what else is in the file. */
    counts: z.object({ new: z.int(), known: z.int(), refused: z.int(), left_out: z.int() }),
    /** Each report with its findings after it; at most 500. */
    rows: z.array(ImportRow),
  }),
});

export const importEndpoints = [importExaminations] as const;
