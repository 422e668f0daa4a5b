import type { CriticalFinding } from '@wardline/contract/chat/critical.ts';
import type { Entry, Examination } from '@wardline/contract/examinations/examinations.ts';
import { criticalFindings, criticalQuestion } from '@wardline/examination/critical-findings.ts';
import { toEntry } from '@wardline/examination/entry.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';

/** The critical findings that a signature of these entries leaves to be decided, as the server will see it too. */
export function undecidedFindings(
  { template, entries: stored, report_version, critical_alerts = [] }: Examination,
  entries: readonly Entry[],
  subject: Subject,
): CriticalFinding[] {
  const read = (some: readonly Entry[]) =>
    criticalFindings(
      template.fields,
      template.fields.flatMap((field) => {
        const entry = some.find((one) => one.field === field.code);
        return entry ? [toEntry(field, { ...entry, value: entry.value.trim() }, subject)] : [];
      }),
    );
  // What amends a report is not stored before it is signed: what is stored is the last report.
  const before = report_version > 0 ? read(stored) : [];
  return [...criticalQuestion({ before, after: read(entries), alerts: critical_alerts }).undecided];
}
