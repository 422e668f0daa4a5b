import type { ReferenceRange, TemplateField, TemplateOption } from '@wardline/contract/examinations/examinations.ts';
import { formatAbsolute } from '../entry.ts';
import { formatBand } from './age-bands.ts';
import { type Form, KIND_LABELS } from './form-problems.ts';

/** What changed from one version of a form to another, each a sentence; all that it has where there was none before. */
export function formDifferences(before: Form | null, after: Form): string[] {
  if (before === null) return after.fields.map((field) => `Added ${describe(field)}.`);
  const removed = before.fields.filter(({ code }) => !after.fields.some((field) => field.code === code));
  const moved = movedFields(before.fields, after.fields);
  return [
    ...changed('Name', before.name, after.name),
    ...changed('LOINC code of the form', before.loinc, after.loinc),
    ...(Boolean(before.is_bedside) === Boolean(after.is_bedside)
      ? []
      : [after.is_bedside ? 'Is done at the bedside now.' : 'Is asked for first now.']),
    ...removed.map(({ label }) => `Removed ${label}.`),
    ...after.fields.flatMap((field) => {
      const from = before.fields.find(({ code }) => code === field.code);
      return from ? fieldDifferences(from, field) : [`Added ${describe(field)}.`];
    }),
    ...moved.map(({ label }) => `Moved ${label}.`),
  ];
}

function describe({ label, kind, unit }: TemplateField): string {
  return `${label}: ${KIND_LABELS[kind]}${unit ? ` in ${unit.label || unit.code}` : ''}`;
}

function fieldDifferences(before: TemplateField, after: TemplateField): string[] {
  const { label } = after;
  return [
    ...(before.label === label ? [] : [`Renamed ${before.label} to ${label}.`]),
    ...changed(`${label}: kind`, KIND_LABELS[before.kind], KIND_LABELS[after.kind]),
    ...changed(`${label}: part`, PART_LABELS[before.part], PART_LABELS[after.part]),
    ...changed(`${label}: section`, before.section, after.section),
    ...changed(`${label}: help`, before.help, after.help),
    ...changed(`${label}: unit`, unitText(before), unitText(after)),
    ...changed(`${label}: LOINC code`, before.loinc, after.loinc),
    ...changed(`${label}: digits after the point`, before.decimals, after.decimals),
    ...changed(
      `${label}: what a patient can have`,
      formatAbsolute(before) || undefined,
      formatAbsolute(after) || undefined,
    ),
    ...(Boolean(before.is_required) === Boolean(after.is_required)
      ? []
      : [`${label}: ${after.is_required ? 'needed to sign now' : 'no longer needed to sign'}.`]),
    ...(before.news2 === after.news2
      ? []
      : [`${label}: ${after.news2 ? 'counts for NEWS2 now' : 'no longer counts for NEWS2'}.`]),
    ...changed(`${label}: choices`, optionsText(before.options), optionsText(after.options)),
    ...changed(`${label}: ranges`, rangesText(before.ranges), rangesText(after.ranges)),
  ];
}

/** The parts of a form, as it is read from above. */
export const PART_LABELS: Readonly<Record<TemplateField['part'], string>> = {
  ...{ request: 'Request', finding: 'Findings', report: 'Report' },
};

function changed(name: string, before: string | number | undefined, after: string | number | undefined): string[] {
  if ((before ?? '') === (after ?? '')) return [];
  return [`${name}: ${before ?? 'none'} → ${after ?? 'none'}.`];
}

function unitText({ unit }: TemplateField): string | undefined {
  if (!unit) return undefined;
  return unit.label === unit.code ? unit.code : `${unit.label} (${unit.code})`;
}

function optionsText(options: readonly TemplateOption[] | undefined): string | undefined {
  if (!options?.length) return undefined;
  return options
    .map(({ code, label, interpretation }) => `${label} (${[code, interpretation].filter(Boolean).join(', ')})`)
    .join('; ');
}

function rangesText(ranges: readonly ReferenceRange[] | undefined): string | undefined {
  return ranges?.length ? ranges.map(rangeText).join('; ') : undefined;
}

/** A range with its limits in words: `everybody: 3.5 to 5.3, critical from 2.5 and 6.5`. */
export function rangeText(range: ReferenceRange): string {
  const { low, high, critical_low, critical_high } = range;
  const normal =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `from ${low}`
        : high !== undefined
          ? `up to ${high}`
          : null;
  const critical = [
    critical_low !== undefined && `critical at ${critical_low} and below`,
    critical_high !== undefined && `critical at ${critical_high} and above`,
  ];
  return `${formatBand(range)}: ${[normal, ...critical].filter(Boolean).join(', ')}`;
}

/** Fields that are in both and stand elsewhere: as few as explain the new order. */
function movedFields(before: readonly TemplateField[], after: readonly TemplateField[]): TemplateField[] {
  const kept = after.filter(({ code }) => before.some((field) => field.code === code));
  const places = kept.map(({ code }) => before.findIndex((field) => field.code === code));
  // The longest rising row of places stays; the others moved.
  const rows: number[][] = [];
  places.forEach((place, index) => {
    const fitting = rows.filter((_row, other) => other < index && (places[other] ?? 0) < place);
    const longest = fitting.reduce<number[]>((best, row) => (row.length > best.length ? row : best), []);
    rows.push([...longest, index]);
  });
  const staying = rows.reduce<number[]>((best, row) => (row.length > best.length ? row : best), []);
  return kept.filter((_field, index) => !staying.includes(index));
}
