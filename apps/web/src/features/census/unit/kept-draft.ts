import { UnitDay } from '@wardline/contract/census.ts';
import * as z from 'zod/mini';
import type { NumberField, ReportDraft, WordField } from './report-draft.ts';

const texts = <Field extends string>(fields: readonly Field[]) =>
  z.object(Object.fromEntries(fields.map((field) => [field, z.string()])) as Record<Field, z.ZodMiniString>);

const NUMBERS: readonly NumberField[] = [
  'admissions',
  'births',
  'transfers_in',
  'discharges',
  'deaths',
  'deaths_u48',
  'transfers_out',
  'ad_same_day',
  'on_leave',
  'observation',
  'counted',
  'seed',
  'beds_staffed',
  'beds_blocked',
];
const WORDS: readonly WordField[] = ['variance_reason', 'capacity_reason', 'note'];

/** A draft as the device keeps it: what was typed, and on which version. One of another build that does not fit is none. */
const KeptDraft = z.object({
  base: UnitDay,
  draft: z.object({
    numbers: texts(NUMBERS),
    words: texts(WORDS),
    transfers: z.array(
      z.object({ unit_id: z.string(), unit_code: z.string(), direction: z.enum(['in', 'out']), text: z.string() }),
    ),
  }),
});

export interface KeptDraft {
  readonly base: UnitDay;
  readonly draft: ReportDraft;
}

export function readKeptDraft(value: unknown): KeptDraft | null {
  const parsed = z.safeParse(KeptDraft, value);
  return parsed.success ? parsed.data : null;
}
