import type { Citation, CitationNow } from '@wardline/contract/chat/citations.ts';
import type { Entry, ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';

/** So much of a text is cited; the whole of it stands in the report. */
export const CITED_TEXT_MAX = 200;

interface Report {
  readonly template: Pick<ExaminationTemplate, 'name' | 'fields'>;
  readonly version: number;
  readonly entries: readonly Entry[];
}

/** A finding of a report as a message cites it; null where the report has none of this field. */
export function citationOf(
  examinationId: string,
  { template, version, entries }: Report,
  field: string,
): Citation | null {
  const found = findingOf(template.fields, entries, field);
  if (found === null) return null;
  const { label, unit, value, interpretation } = found;
  return {
    ...{ examination_id: examinationId, title: template.name, field, label, value, unit, interpretation },
    report_version: version,
  };
}

interface Since {
  /** The report that was cited. */
  readonly cited: Report;
  /** The one that stands. */
  readonly last: Report;
  readonly isInError: boolean;
}

/**
 * What became of a finding since it was cited: all of it an error, or another value or meaning in the report that stands. Null
 * where it says the same. Whole values are compared, also where only their beginning is shown.
 */
export function citationNow(field: string, { cited, last, isInError }: Since): CitationNow | null {
  if (isInError) {
    return { state: 'entered_in_error', report_version: last.version, value: null, interpretation: null };
  }
  const [was, is] = [cited, last].map(({ entries }) =>
    entries.find((entry) => entry.field === field && entry.value !== ''),
  );
  if (was?.value === is?.value && was?.interpretation === is?.interpretation) return null;
  const { value = null, interpretation = null } = findingOf(last.template.fields, last.entries, field) ?? {};
  return { state: 'amended', report_version: last.version, value, interpretation };
}

interface Finding {
  readonly label: string;
  readonly value: string;
  readonly unit: string | null;
  readonly interpretation: Interpretation | null;
}

function findingOf(fields: readonly TemplateField[], entries: readonly Entry[], code: string): Finding | null {
  const field = fields.find((one) => one.code === code);
  const entry = entries.find((one) => one.field === code && one.value !== '');
  if (!field || !entry) return null;
  const value = clip(readable(field, entry.value));
  return { label: field.label, value, unit: field.unit?.label ?? null, interpretation: entry.interpretation };
}

/** A choice by its words, yes and no. */
function readable({ kind, options }: TemplateField, value: string): string {
  if (kind === 'code') return options?.find(({ code }) => code === value)?.label ?? value;
  if (kind === 'boolean') return value === 'yes' ? 'Yes' : 'No';
  return value;
}

function clip(text: string): string {
  const letters = [...text];
  return letters.length > CITED_TEXT_MAX ? `${letters.slice(0, CITED_TEXT_MAX - 1).join('')}…` : text;
}
