import type { ReferenceRange, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { LaboratoryStatus } from '@wardline/contract/examinations/laboratory.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';

/** Whose it is, as the laboratory names them. */
export interface NamedPatient {
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly bornOn: string | null;
  /** Of PID-3, PID-18 and PV1-19, with who gave the number (PID-3.4) where the message says it. */
  readonly identifiers: readonly { readonly value: string; readonly authority: string | null }[];
}

/** One finding of a report (OBX). */
export interface LaboratoryFinding {
  /** Of the same finding in every message about the report: its code and sub-id. */
  readonly key: string;
  readonly label: string;
  /** The laboratory's own. */
  readonly code: string;
  readonly loinc: string | null;
  readonly kind: TemplateField['kind'];
  readonly unit: { readonly code: string; readonly label: string } | null;
  /** As it was sent; empty where it was deleted. */
  readonly value: string;
  readonly range: ReferenceRange | null;
  readonly interpretation: Interpretation | null;
  /** What no field says: comments, a range in words, flags that are none of ours. */
  readonly note: string | null;
  /** When it was found (OBX-14); left out where it is when the specimen was taken. */
  readonly observedAt?: string;
  /** Taken back by the laboratory (OBX-11 D or W). */
  readonly isWithdrawn: boolean;
}

/** One report of a message (OBR with its OBX), with all that is known of it by now. */
export interface LaboratoryReport {
  readonly key: string;
  readonly title: string;
  readonly loinc: string | null;
  readonly laboratory: string;
  /** OBR-2: the number of who asked for it. */
  readonly placer: string | null;
  /** OBR-3, else OBR-2. */
  readonly number: string;
  readonly status: LaboratoryStatus;
  /** When the specimen was taken; null where it is not said. */
  readonly observedAt: string | null;
  readonly reportedAt: string;
  readonly patient: NamedPatient;
  readonly findings: readonly LaboratoryFinding[];
  readonly note: string | null;
}

export interface LaboratoryMessage {
  readonly controlId: string;
  readonly sender: string | null;
  readonly reports: readonly LaboratoryReport[];
}

const RANK: Readonly<Record<LaboratoryStatus, number>> = { preliminary: 0, final: 1, corrected: 2, cancelled: 2 };

/** Whether one tells of an earlier state of the same report than the other; of the same time what is surer is later. */
export function isOlder(one: LaboratoryReport, other: LaboratoryReport): boolean {
  const [a, b] = [Date.parse(one.reportedAt), Date.parse(other.reportedAt)];
  return a === b ? RANK[one.status] < RANK[other.status] : a < b;
}

/** A finding keeps the time of the report that told it, also where the next one is of another. */
function withTime(finding: LaboratoryFinding, { observedAt }: LaboratoryReport): LaboratoryFinding {
  return observedAt === null || finding.observedAt !== undefined ? finding : { ...finding, observedAt };
}

/** A report with what came before it: what it does not speak of stays as it was, in its place. */
export function mergeReports(before: LaboratoryReport, now: LaboratoryReport): LaboratoryReport {
  const said = new Map(now.findings.map((finding) => [finding.key, finding]));
  const known = before.findings.map((finding) => said.get(finding.key) ?? withTime(finding, before));
  const keys = new Set(before.findings.map(({ key }) => key));
  return {
    ...now,
    observedAt: now.observedAt ?? before.observedAt,
    note: now.note ?? before.note,
    findings: [...known, ...now.findings.filter(({ key }) => !keys.has(key))],
  };
}
