import { draftFindings, submitFindings } from '@wardline/census/rules.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import type { BrokenRule } from '@wardline/contract/errors.ts';
import { formatDate } from '#/features/census/core/report-labels.ts';
import { isFirstReport, type ReportDraft, toReportInput, wrongTexts } from './report-draft.ts';
import type { ReportPayload } from './report-unit.ts';

/** All that is wrong with a draft by the rules that device and server share. */
export function findingsOf(draft: ReportDraft, day: UnitDay, isSubmitting: boolean): Finding[] {
  const input = toReportInput(draft, day);
  const found = [...wrongTexts(draft), ...(isSubmitting ? submitFindings(input) : draftFindings(input))];
  // One sentence for each field: what is typed wrongly is also missing.
  return found.filter(({ field }, index) => field === null || found.findIndex((one) => one.field === field) === index);
}

/** What keeps a report from being submitted by the clock, where the server has said so and this device's agrees. */
export function earlyFindings({ may, census_at, census_date, time_zone }: UnitDay, now: number): Finding[] {
  if (may.submit || now >= Date.parse(census_at)) return [];
  const message = `${formatDate(census_date, time_zone, now)} is not counted yet: it can be submitted after its census hour.`;
  return [{ code: 'NOT_YET_DUE', field: null, message }];
}

/** True where two reports that wait would send the same. */
export function isSameEntry(one: ReportPayload, other: ReportPayload): boolean {
  const said = ({ entry: { replaces: _, ...entry }, base }: ReportPayload) => JSON.stringify([entry, base.version]);
  return said(one) === said(other);
}

/** What the server found wrong with the report itself; that it is of an older version is said by the comparison. */
export function rulesOf(findings: readonly BrokenRule[]): Finding[] {
  return findings.filter(({ code }) => code !== 'VERSION_CONFLICT') as Finding[];
}

/** An opening that was typed goes where an earlier report has come meanwhile: it is carried forward then. */
export function withoutSeed(draft: ReportDraft, day: UnitDay): ReportDraft {
  if (isFirstReport(day) || draft.numbers.seed === '') return draft;
  return { ...draft, numbers: { ...draft.numbers, seed: '' } };
}
