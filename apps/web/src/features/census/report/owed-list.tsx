import { reportPath } from '#/features/census/core/census-paths.ts';
import '#/features/census/core/dashboard.css';
import { listOwedReports, type OwedReport } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ClipboardCheck, RefreshCw } from 'lucide-react';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatDate, formatOwed } from '#/features/census/core/report-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { placeOf } from './engine/use-reports.ts';

const againMs = 60_000;
const shownAtMost = 5;

/** The dashboard's card of reports that my units owe, with the time left for each. */
export function OwedList({ facilities }: { facilities: readonly Facility[] }) {
  const call = useCall();
  const now = useNow();
  const owed = useQuery({
    queryKey: ['census-owed', 'everywhere'],
    queryFn: ({ signal }) => call(listOwedReports, { query: { limit: 50 }, signal }),
    refetchInterval: againMs,
  });
  const count = owed.data?.data.length ?? 0;
  return (
    <section aria-labelledby="census-owed">
      <SectionHead
        id="census-owed"
        title="Census reports due"
        mark={<Pill tone="quiet" count={count} label={counted(count, 'report')} />}
        link={{ href: '/census-unit', label: 'All unit reports' }}
      />
      <Panel query={owed} what="the reports due" shape="rows">
        {({ data }) => (
          <Card>
            {data.length === 0 ? (
              <EmptyState icon={ClipboardCheck} level={3} title="No reports due from your units">
                They show here near their census hour.
              </EmptyState>
            ) : (
              <ul className="list">
                {data.slice(0, shownAtMost).map((report) => (
                  <li key={reportPath(placeOf(report))}>
                    <OwedRow report={report} now={now} facility={placeName(report, facilities)} />
                  </li>
                ))}
              </ul>
            )}
          </Card>
        )}
      </Panel>
    </section>
  );
}

interface OwedRowProps {
  readonly report: OwedReport;
  readonly now: number;
  /** Where it is, for those who work at several. */
  readonly facility: string | null;
}

function OwedRow({ report, now, facility }: OwedRowProps) {
  const title = `${report.unit_code}, ${formatDate(report.census_date, report.time_zone, now)}`;
  const isLate = now >= Date.parse(report.due_at);
  const isReturned = report.status === 'returned';
  return (
    <ListRow
      leading={<TimeLeft report={report} now={now} />}
      title={report.population === 'newborn' ? `${title}, newborns` : title}
      text={[facility, formatState(report, now)].filter(Boolean).join(' · ')}
      urgency={isReturned ? 'soon' : isLate ? 'urgent' : undefined}
      trailing={
        <Button
          variant={isLate || isReturned ? 'solid' : 'outline'}
          color={isLate || isReturned ? 'primary' : 'neutral'}
          asChild
        >
          <Link href={reportPath(placeOf(report))}>{formatAct(report)}</Link>
        </Button>
      }
    />
  );
}

function TimeLeft({ report, now }: { report: OwedReport; now: number }) {
  if (report.status === 'returned' || report.status === 'amending') {
    return (
      <span className="dc-left c-warning">
        <Icon of={RefreshCw} size="sm" />
        {report.status === 'returned' ? 'Returned' : 'Correct'}
      </span>
    );
  }
  const due = Date.parse(report.due_at);
  const isLate = now >= due;
  return (
    <span className={isLate ? 'dc-left c-error' : 'dc-left'}>
      <b className="num">{formatSpan(Math.abs(due - now))}</b>
      {isLate ? 'late' : 'left'}
    </span>
  );
}

/** What the time beside it leaves unsaid. */
function formatState(report: OwedReport, now: number): string {
  if (report.status !== 'draft' || now < Date.parse(report.census_at)) return formatOwed(report, now);
  const due = `due ${timeIn(report.time_zone, Date.parse(report.due_at))}`;
  return report.version > 0 ? `${due}, begun` : `${due}, not started`;
}

function formatAct({ status, version }: OwedReport): string {
  if (status === 'returned') return 'Answer';
  if (status === 'amending') return 'Correct';
  return version > 0 ? 'Continue' : 'Report';
}

function placeName({ facility_id }: OwedReport, facilities: readonly Facility[]): string | null {
  return facilities.length < 2 ? null : (facilities.find(({ id }) => id === facility_id)?.name ?? null);
}
