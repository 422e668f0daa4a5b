import {
  Comparison,
  type Entry,
  type EntryInput,
  type StoredEntry,
  type TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import { Region } from '@wardline/contract/examinations/regions.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { keyed } from '@wardline/contract/values.ts';
import { entryError, unitError } from '@wardline/examination/entry.ts';
import { isSameRegions } from '@wardline/examination/regions.ts';
import * as z from 'zod/mini';

const TypedEntry = z.object({
  value: z.string(),
  interpretation: z.nullable(Interpretation),
  comparison: z.nullable(Comparison),
  /** Left out by what was typed before there were any. */
  regions: z.optional(z.array(Region)),
  /** The field as the value was typed into it, which a newer form may have in another unit or not at all; left out by what was typed before that was kept. */
  as: z.optional(z.object({ label: z.string(), unit: z.nullable(z.string()) })),
  /** The version that was seen when it was begun: what others entered in the field since is not overwritten. */
  base: z.int(),
});
export type TypedEntry = z.infer<typeof TypedEntry>;

/** What was typed and is not stored on the server yet, by field. */
export const TypedValues = keyed(TypedEntry);
export type TypedValues = Readonly<Record<string, TypedEntry>>;

type Change = Partial<Omit<TypedEntry, 'base' | 'as'>>;
type Stored = readonly Pick<Entry, 'field' | 'value' | 'interpretation' | 'comparison' | 'regions'>[];

const EMPTY = { value: '', interpretation: null, comparison: null } as const;

/** What stands in a field: what was typed, else what is stored. */
export function shownEntry(field: string, typed: TypedValues, stored: Stored): Omit<TypedEntry, 'base' | 'as'> {
  return typed[field] ?? stored.find((entry) => entry.field === field) ?? EMPTY;
}

/** After something was typed or chosen in a field, which was begun at the version that is shown. */
export function typeInto(
  typed: TypedValues,
  field: Pick<TemplateField, 'code' | 'label' | 'unit'>,
  { change, stored, version }: { change: Change; stored: Stored; version: number },
): TypedValues {
  const { code, label, unit } = field;
  const { value, interpretation, comparison, regions } = shownEntry(code, typed, stored);
  const shown = { value, interpretation, comparison, ...(regions && { regions }) };
  const before = typed[code];
  // What was typed before stays in its unit until it is typed anew.
  const as = change.value === undefined && before ? before.as : { label, unit: unit?.code ?? null };
  return { ...typed, [code]: { ...shown, ...change, ...(as && { as }), base: before?.base ?? version } };
}

/** What is wrong with what was typed into a field, as it would go. */
export function typedError(field: TemplateField, entry: TypedEntry | undefined): string | null {
  const value = entry?.value.trim() ?? '';
  return unitError(field, { value, unit: entry?.as?.unit }) ?? entryError(field, value);
}

/** What was typed into fields that the form has no more, each with the name that it had. */
export function withoutField(
  fields: readonly TemplateField[],
  typed: TypedValues,
): { code: string; label: string; value: string }[] {
  const gone = Object.entries(typed).filter(([code]) => !fields.some((field) => field.code === code));
  return gone.map(([code, { as, value }]) => ({ code, label: as?.label ?? code, value }));
}

/** All that was typed, with what everybody entered otherwise: as it would stand. */
export function mergedEntries(fields: readonly TemplateField[], typed: TypedValues, stored: Stored): Entry[] {
  return fields.flatMap(({ code }) => {
    const { value, interpretation, comparison, regions } = shownEntry(code, typed, stored);
    return value === '' ? [] : [{ field: code, value, interpretation, comparison, ...(regions && { regions }) }];
  });
}

/** What can go: not what does not fit its field, and not what waits for a decision. */
export function sendable(
  fields: readonly TemplateField[],
  typed: TypedValues,
  held: ReadonlySet<string> = new Set(),
): { entries: EntryInput[]; base: number } | null {
  const fitting = fields.filter(({ code }) => typed[code] && !held.has(code));
  const entries = fitting.flatMap((field) => {
    const entry = typed[field.code] ?? { ...EMPTY, base: 0 };
    if (typedError(field, entry) !== null) return [];
    const { base: _base, as, value, ...meaning } = entry;
    const isMeasured = field.kind === 'quantity' || field.kind === 'range';
    const unit = isMeasured && as ? { unit: as.unit } : {};
    return [{ field: field.code, value: value.trim(), ...unit, ...meaning }];
  });
  if (entries.length === 0) return null;
  return { entries, base: Math.min(...entries.map(({ field }) => typed[field]?.base ?? 0)) };
}

/**
 * Fields in which somebody entered another value after they were begun to be typed in, each with what it is now; what `exceptOf`
 * entered is left out.
 */
export function overtakenFields(
  typed: TypedValues,
  stored: readonly StoredEntry[],
  exceptOf: string | null,
): StoredEntry[] {
  return stored.filter(({ field, value, version, regions, by }) => {
    const mine = typed[field];
    if (mine === undefined || version <= mine.base || by.user_id === exceptOf) return false;
    return value !== mine.value.trim() || !isSameRegions(regions, mine.regions);
  });
}

/** What is left to send: a field that was typed in while it was on its way stays, from the version that came of it, if that is known. */
export function withoutSent(typed: TypedValues, sent: readonly EntryInput[], version: number | null): TypedValues {
  const left: Record<string, TypedEntry> = {};
  for (const [field, entry] of Object.entries(typed)) {
    const gone = sent.find((input) => input.field === field);
    if (!gone) left[field] = entry;
    else if (!isSame(entry, gone)) left[field] = { ...entry, base: version ?? entry.base };
  }
  return left;
}

function isSame({ value, interpretation, comparison, regions }: TypedEntry, sent: EntryInput): boolean {
  const isAlike =
    value.trim() === sent.value && interpretation === sent.interpretation && comparison === sent.comparison;
  return isAlike && isSameRegions(regions, sent.regions);
}

/** Fields in which another entered something else meanwhile, or that were refused, each with the server's sentence. */
export function refusedFields(errors: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const prefix = 'entries.';
  const found = Object.entries(errors).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(found.map(([name, said]) => [name.slice(prefix.length), said.join(' ')]));
}
