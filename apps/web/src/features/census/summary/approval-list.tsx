import '#/features/census/core/dashboard.css';
import { listReportsToApprove, type ReportsToApprove } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { useState } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { counted } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { summaryDayPath } from '#/features/census/core/period/period.ts';
import { formatDate } from '#/features/census/core/report-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { unitNames } from './cards/day-labels.ts';

const againMs = 60_000;
const shownAtMost = 5;

/** The dashboard's card of submitted reports that wait for my approval; nothing where none does. */
export function ApprovalList({ facilities }: { facilities: readonly Facility[] }) {
  const call = useCall();
  const now = useNow();
  /** From which day on there is more than the card shows at first; null until somebody asks for it. */
  const [moreFrom, setMoreFrom] = useState<string | null>(null);
  const isWhole = moreFrom !== null;
  const waiting = useQuery({
    queryKey: ['census-to-approve'],
    queryFn: ({ signal }) => call(listReportsToApprove, { signal }),
    refetchInterval: againMs,
  });
  const count = waiting.data?.data.reduce((sum, { reports }) => sum + reports.length, 0) ?? 0;
  if (waiting.data && count === 0) return null;
  return (
    <section aria-labelledby="census-to-approve">
      <SectionHead
        id="census-to-approve"
        title="Census reports to approve"
        mark={<Pill tone="quiet" count={count} label={counted(count, 'report')} />}
        link={{ href: '/census-summary', label: 'Open the summary' }}
      />
      <Panel query={waiting} what="the reports to approve" shape="rows">
        {({ data }) => (
          <Card>
            <ul className="list">
              {data.slice(0, isWhole ? data.length : shownAtMost).map((day) => (
                <li key={keyOf(day)}>
                  <WaitingDay {...{ day, now, facilities }} isFocused={keyOf(day) === moreFrom} />
                </li>
              ))}
            </ul>
            {!isWhole && data.length > shownAtMost && (
              <Button
                variant="ghost"
                color="neutral"
                isFullWidth
                onClick={() => setMoreFrom(data.slice(shownAtMost).map(keyOf)[0] ?? null)}
              >
                Show {counted(data.length - shownAtMost, 'more day')}
              </Button>
            )}
          </Card>
        )}
      </Panel>
    </section>
  );
}

function keyOf({ facility_id, census_date }: ReportsToApprove): string {
  return `${facility_id} ${census_date}`;
}

// The button that was pressed is gone: a keyboard goes on at the first day that it brought.
const focus = (link: HTMLAnchorElement | null) => link?.focus();

interface WaitingDayProps {
  readonly day: ReportsToApprove;
  readonly now: number;
  readonly facilities: readonly Facility[];
  readonly isFocused: boolean;
}

function WaitingDay({ day, now, facilities, isFocused }: WaitingDayProps) {
  const { reports, census_date: date } = day;
  const facility = facilities.find(({ id }) => id === day.facility_id);
  const title = formatDate(date, day.time_zone, now);
  return (
    <ListRow
      leading={
        <span className="dc-left">
          <b className="num">{reports.length}</b>
          to approve
        </span>
      }
      title={title}
      text={[facilities.length > 1 && facility?.name, unitNames(reports)].filter(Boolean).join(' · ')}
      trailing={
        <Button asChild>
          <Link ref={isFocused ? focus : null} href={reviewPath(day, facility)} aria-label={`Review ${title}`}>
            Review
          </Link>
        </Button>
      }
    />
  );
}

/** All of a day side by side; who approves without the summary looks at one report after the other. */
function reviewPath(
  { facility_id: facilityId, census_date: date, reports: [first] }: ReportsToApprove,
  facility: Facility | undefined,
): string {
  if (!first || facility?.permissions.includes('census.report_summary')) return summaryDayPath(date, facilityId);
  return reportPath({ unit: first.unit_id, date, population: first.population });
}
