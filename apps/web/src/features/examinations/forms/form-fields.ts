import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';

type Part = TemplateField['part'];
export const PARTS: readonly Part[] = ['request', 'finding', 'report'];

/** In the order in which a form shows them: by part, there first what has no heading, and below each heading what belongs there. */
export function inOrder(fields: readonly TemplateField[]): TemplateField[] {
  return PARTS.flatMap((part) => {
    const own = fields.filter((field) => field.part === part);
    const sections = new Set(['', ...own.map(sectionOf)]);
    return [...sections].flatMap((section) => own.filter((field) => sectionOf(field) === section));
  });
}

export const sectionOf = ({ section }: TemplateField): string => section?.trim() ?? '';

/** True where a field of this kind can stand in a part: numbers and yes or no are findings. */
export function fitsPart({ kind }: TemplateField, part: Part): boolean {
  return part === 'finding' || kind === 'text' || kind === 'code';
}

/**
 * A step up or down in the outline: past a neighbour of its section, into the next section, or into the next part. Where it
 * cannot go further, nothing changes.
 */
export function stepField(fields: readonly TemplateField[], index: number, step: -1 | 1): TemplateField[] {
  const [field, neighbour] = [fields[index], fields[index + step]];
  if (!field) return [...fields];
  if (neighbour?.part !== field.part) return stepPart(fields, index, step);
  if (sectionOf(neighbour) !== sectionOf(field))
    return replaced(fields, index, withSection(field, sectionOf(neighbour)));
  const next = [...fields];
  next[index] = neighbour;
  next[index + step] = field;
  return next;
}

function stepPart(fields: readonly TemplateField[], index: number, step: -1 | 1): TemplateField[] {
  const field = fields[index];
  const part = field && PARTS[PARTS.indexOf(field.part) + step];
  if (!field || !part || !fitsPart(field, part)) return [...fields];
  const neighbour = fields[index + step];
  const section = neighbour?.part === part ? sectionOf(neighbour) : '';
  return replaced(fields, index, withSection({ ...field, part }, section));
}

/** Takes a field to the place of another, where it fits; it stands in that one's section then. */
export function moveField(fields: readonly TemplateField[], from: number, to: number): TemplateField[] {
  const [field, target] = [fields[from], fields[to]];
  if (!field || !target || from === to || !fitsPart(field, target.part)) return [...fields];
  const left = fields.filter((_other, index) => index !== from);
  const moved = withSection({ ...field, part: target.part }, sectionOf(target));
  return [...left.slice(0, to), moved, ...left.slice(to)];
}

function withSection({ section: _section, ...field }: TemplateField, section: string): TemplateField {
  return section === '' ? field : { ...field, section };
}

export function replaced(fields: readonly TemplateField[], index: number, field: TemplateField): TemplateField[] {
  return fields.map((other, at) => (at === index ? field : other));
}

/** A new field at the end of a part, with a code that no other has. */
export function addField(
  fields: readonly TemplateField[],
  part: Part,
  taken: readonly string[],
): { fields: TemplateField[]; index: number } {
  const last = fields.findLastIndex((field) => PARTS.indexOf(field.part) <= PARTS.indexOf(part));
  const neighbour = fields[last];
  const section = neighbour?.part === part ? sectionOf(neighbour) : '';
  const code = freeCode('field', [...fields.map((field) => field.code), ...taken]);
  const field = withSection({ code, label: '', kind: part === 'finding' ? 'quantity' : 'text', part }, section);
  return { fields: [...fields.slice(0, last + 1), field, ...fields.slice(last + 1)], index: last + 1 };
}

const LONGEST = 40;

/** A code made of a name: small letters, digits and _; none that is taken. */
export function codeOfLabel(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, LONGEST - 4)
    .replaceAll(/_+$/g, '');
  return freeCode(plain || 'field', taken);
}

function freeCode(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const code = `${wanted}_${number}`;
    if (!taken.includes(code)) return code;
  }
}

/** Another name; the code of a field that no version has yet follows it, unless somebody wrote a code of their own. */
export function renameField(
  fields: readonly TemplateField[],
  index: number,
  { label, usedCodes }: { readonly label: string; readonly usedCodes: readonly string[] },
): TemplateField[] {
  const field = fields[index];
  if (!field) return [...fields];
  const others = [...fields.filter((_other, at) => at !== index).map(({ code }) => code), ...usedCodes];
  const follows = !usedCodes.includes(field.code) && field.code === codeOfLabel(field.label, others);
  return replaced(fields, index, { ...field, label, ...(follows && { code: codeOfLabel(label, others) }) });
}

/** Another kind: what only the kind before had is gone. */
export function changeKind(field: TemplateField, kind: TemplateField['kind']): TemplateField {
  const { unit, ranges, decimals, absolute_low, absolute_high, options, ...rest } = field;
  const isMeasured = kind === 'quantity' || kind === 'range';
  return {
    ...{ ...rest, kind },
    ...(isMeasured && {
      ...{ ...(unit && { unit }), ...(ranges && { ranges }) },
      ...(absolute_low !== undefined && { absolute_low }),
      ...(absolute_high !== undefined && { absolute_high }),
    }),
    ...(kind === 'quantity' && decimals !== undefined && { decimals }),
    ...(kind === 'code' && { options: options ?? [] }),
  };
}
