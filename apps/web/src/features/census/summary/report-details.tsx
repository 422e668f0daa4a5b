import { formatUnusual } from '@wardline/census/forecast/usual-range.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { draftOf } from '#/features/census/report/engine/report-draft.ts';
import { formatPartner } from '#/features/census/report/partner-labels.ts';

/** What the unit wrote beside its figures; nothing where it wrote nothing. */
export function ReportDetails({ report }: { report: UnitDay }) {
  const { confirmed = [], census_date: date } = report;
  const items = [
    ['Transfers in, by unit', partners(report, 'in')],
    ['Transfers out, by unit', partners(report, 'out')],
    ['Asked and confirmed', confirmed.map((count) => formatUnusual(count, date)).join(' ')],
    ['Note', report.note],
    ['Last return', returnReason(report)],
  ] as const;
  const said = items.flatMap(([term, description]) => (description ? [{ term, description }] : []));
  return said.length > 0 && <DescriptionList isStacked items={said} />;
}

function partners(report: UnitDay, direction: 'in' | 'out'): string | null {
  const isNone = report.transfers.every((transfer) => transfer.direction !== direction);
  return isNone ? null : formatPartner(report, draftOf(report), direction);
}

/** The words of the last return, while the report waits for an approval; those of a correction stand with it. */
function returnReason({ status, last_reason, amendment }: UnitDay): string | null {
  const isOpen = status === 'submitted' || status === 'returned';
  return isOpen && last_reason !== amendment?.reason ? last_reason : null;
}
