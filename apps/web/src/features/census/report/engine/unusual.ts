import { formatUnusual, type UnusualCount, unusualCounts } from '@wardline/census/forecast/usual-range.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { type ReportDraft, toReportInput } from './report-draft.ts';

/** What is typed and not what the unit usually has on such a weekday, with the sentence that says so. */
export interface UnusualTyped extends UnusualCount {
  readonly text: string;
}

export function unusualIn(draft: ReportDraft, day: UnitDay): UnusualTyped[] {
  return unusualCounts(toReportInput(draft, day).counts, day.usual).map((count) => ({
    ...count,
    text: formatUnusual(count, day.census_date),
  }));
}

/** One answer of a person: it is not asked again while the count stays. */
export function answerKey({ field, count }: UnusualTyped): string {
  return `${field} ${count}`;
}
