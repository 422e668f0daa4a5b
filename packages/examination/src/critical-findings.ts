import type { CriticalAlert, CriticalFinding } from '@wardline/contract/chat/critical.ts';
import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { isOpen } from './critical-alert.ts';

/** So long a text may be to be read back word for word; a longer one is put into few words by who signs. */
export const STATEMENT_MAX = 80;

/**
 * The critical ones among the findings and the report of a form, in its order, with the value as people read it. What the request asks
 * is no finding.
 */
export function criticalFindings(fields: readonly TemplateField[], entries: readonly Entry[]): CriticalFinding[] {
  return fields.flatMap(({ code, label, unit, options, kind, part }) => {
    const entry = entries.find(({ field, value }) => field === code && value !== '');
    const interpretation = entry?.interpretation;
    if (!entry || part === 'request' || (interpretation !== 'LL' && interpretation !== 'HH' && interpretation !== 'AA'))
      return [];
    const said = options?.find((option) => option.code === entry.value)?.label;
    const value = kind === 'boolean' ? (entry.value === 'yes' ? 'Yes' : 'No') : (said ?? entry.value);
    return [{ field: code, label, value, unit: unit ?? null, interpretation }];
  });
}

/** What a signature leaves to be decided. */
export interface CriticalQuestion {
  /** Alerts that call about what no longer holds. */
  readonly outdated: readonly string[];
  /** Critical findings that nobody has decided about. */
  readonly undecided: readonly CriticalFinding[];
}

interface Signing {
  /** Of the last report; none before the first. */
  readonly before: readonly CriticalFinding[];
  readonly after: readonly CriticalFinding[];
  readonly alerts: readonly Pick<CriticalAlert, 'id' | 'state' | 'findings'>[];
}

/**
 * What is to be decided when a report is signed that says `after`: each critical finding that the report before did not have with this
 * value, and each that an open alert calls about which is over with this report. An alert is over where one of its findings changed: whoever
 * reads it back would say what no longer holds.
 */
export function criticalQuestion({ before, after, alerts }: Signing): CriticalQuestion {
  // What an alert says in few words of a long text is compared by its field.
  const stands = ({ field }: CriticalFinding) => {
    const [was, is] = [before, after].map((findings) => findings.find((finding) => finding.field === field));
    return was !== undefined && is !== undefined && isSame(was, is);
  };
  const outdated = alerts.filter((alert) => isOpen(alert) && !alert.findings.every(stands));
  const freed = new Set(outdated.flatMap(({ findings }) => findings.map(({ field }) => field)));
  return {
    outdated: outdated.map(({ id }) => id),
    undecided: after.filter((finding) => freed.has(finding.field) || !stands(finding)),
  };
}

function isSame(a: CriticalFinding, b: CriticalFinding): boolean {
  return a.value === b.value && a.interpretation === b.interpretation;
}

/**
 * The findings with what a text says in few words, where who signs has put it so; `missing` are those too long to be read back word for
 * word of which it was not said. A finding with a unit is a number, and stays one.
 */
export function withStatements(
  findings: readonly CriticalFinding[],
  statements: readonly { readonly field: string; readonly text: string }[],
): { readonly findings: CriticalFinding[]; readonly missing: CriticalFinding[] } {
  const stated = findings.map((finding) => {
    const text = statements.find(({ field }) => field === finding.field)?.text;
    return text === undefined || finding.unit !== null ? finding : { ...finding, value: text };
  });
  return { findings: stated, missing: stated.filter(({ value }) => value.length > STATEMENT_MAX) };
}
