import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { fieldsOf, REQUIRED_FIELDS } from '@wardline/contract/census/census.ts';
import { UnitDay } from '@wardline/contract/census/unit.ts';
import * as z from 'zod/mini';
import type { NumberField, ReportDraft, WordField } from './report-draft.ts';

const NUMBERS: readonly NumberField[] = [...REQUIRED_FIELDS, 'seed', 'beds_staffed', 'beds_blocked'];
const LABELS: readonly WordField[] = ['variance_reason', 'capacity_reason', 'note'];

/** A draft as the device keeps it: what was typed, and on which version. One of another build that does not fit is none. */
const KeptDraft = z.object({
  base: UnitDay,
  draft: z.object({
    numbers: z.object({ ...fieldsOf(NUMBERS, z.string()), discharge_days: z._default(z.string(), '') }),
    text: z.object(fieldsOf(LABELS, z.string())),
    varianceFor: z._default(z.nullable(z.int()), null),
    transfers: z.array(
      z.object({ unit_id: z.string(), unit_code: z.string(), direction: z.enum(['in', 'out']), text: z.string() }),
    ),
  }),
  sent: z.optional(z.array(z.string())),
});

export interface KeptDraft {
  readonly base: UnitDay;
  readonly draft: ReportDraft;
  /** What was sent of it and not answered, by client id. */
  readonly sent?: readonly string[] | undefined;
}

export function readKeptDraft(value: unknown): KeptDraft | null {
  const parsed = z.safeParse(KeptDraft, toPresentNames(value));
  return parsed.success ? parsed.data : null;
}
