import type { OwedReport } from '@wardline/contract/census/unit.ts';
import { classNames } from '@wardline/ui/class-names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Clock, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { formatOwed, reportTitle } from '#/features/census/core/report-labels.ts';
import { isPlace, type ReportPlace } from './engine/report-unit.ts';
import { placeOf } from './engine/use-reports.ts';

interface OwedCardsProps {
  /** Null until it is known. */
  readonly owed: readonly OwedReport[] | null;
  readonly shown: ReportPlace | null;
  /** Submitted on this device and not yet sent. */
  readonly waiting: readonly ReportPlace[];
  /** Sent and refused: to be looked at. */
  readonly refused: readonly ReportPlace[];
  readonly now: number;
}

/** What one owes, the most urgent first. As high while it comes, and where nothing is owed, so that the report stays where it is. */
export function OwedCards({ owed, ...rest }: OwedCardsProps) {
  if (owed === null) {
    return (
      <div className="owed" role="status" aria-label="Loading reports due">
        <span className="owed-card">
          <span className="skel" />
        </span>
      </div>
    );
  }
  // Without a report below, the page says so itself.
  if (owed.length === 0) return rest.shown && <p className="owed owed-none">No reports due</p>;
  return (
    <nav className="owed" aria-label="Reports due">
      {owed.map((report) => (
        <OwedCard key={reportPath(placeOf(report))} report={report} {...rest} />
      ))}
    </nav>
  );
}

function OwedCard({ report, shown, ...rest }: Omit<OwedCardsProps, 'owed'> & { report: OwedReport }) {
  const place = placeOf(report);
  const { text, glyph, isUrgent } = lookOf(report, rest);
  return (
    <Link
      href={reportPath(place)}
      className={classNames('owed-card', isUrgent && 'is-urgent')}
      {...(shown !== null && isPlace(shown, place) ? { 'aria-current': 'page' as const } : {})}
    >
      <b>{reportTitle(report, rest.now)}</b>
      <span className="row row-1">
        {glyph && <Icon of={glyph} size="sm" />}
        <span className="clip">{text}</span>
      </span>
    </Link>
  );
}

interface Look {
  readonly text: string;
  readonly glyph: LucideIcon | null;
  readonly isUrgent: boolean;
}

function lookOf(report: OwedReport, { waiting, refused, now }: Omit<OwedCardsProps, 'owed' | 'shown'>): Look {
  const place = placeOf(report);
  const isIn = (places: readonly ReportPlace[]) => places.some((one) => isPlace(one, place));
  if (isIn(refused)) return { text: 'not sent: resolve', glyph: RefreshCw, isUrgent: true };
  if (isIn(waiting)) return { text: 'waiting for the network', glyph: Clock, isUrgent: false };
  const text = formatOwed(report, now);
  if (report.status === 'returned') return { text, glyph: RefreshCw, isUrgent: true };
  const isLate = report.status === 'draft' && now >= Date.parse(report.due_at);
  return { text, glyph: isLate ? TriangleAlert : null, isUrgent: isLate };
}
