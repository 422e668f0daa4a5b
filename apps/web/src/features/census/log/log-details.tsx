import { changesOf, type LogChange } from '@wardline/census/log/log-changes.ts';
import { formatReasonCode } from '@wardline/census/log/log-labels.ts';
import type { LogEntry } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { discussionPath, reportPath } from '#/features/census/core/census-paths.ts';
import { formatDay, momentIn } from '#/shared/time/zoned-time.ts';
import { formatHow, formatWhen, shortHash } from './log-labels.ts';

interface LogDetailsProps {
  readonly entry: LogEntry;
  readonly facility: Facility;
  readonly today: string;
}

/** Everything that an entry says: what changed, why, who, when, how, and what it follows in the chain. */
export function LogDetails({ entry, facility, today }: LogDetailsProps) {
  const changes = changesOf(entry);
  return (
    <>
      <div className="log-grid">
        {changes.length > 0 && (
          <div className="log-diff">
            <Table caption="What changed" columns={COLUMNS} rows={changes} rowKey={({ key }) => key} isDense />
          </div>
        )}
        <div className="log-facts">
          <DescriptionList items={toReportInput(entry, facility, today)} />
        </div>
      </div>
      <DayLinks entry={entry} facility={facility} today={today} />
    </>
  );
}

const COLUMNS: readonly TableColumn<LogChange>[] = [
  { key: 'field', head: 'Field', cell: ({ label }) => label },
  { key: 'before', head: 'Before', isNumeric: true, cell: ({ before }) => <span className="log-was">{before}</span> },
  { key: 'after', head: 'After', isNumeric: true, cell: ({ after }) => <span className="semi">{after}</span> },
];

function toReportInput(entry: LogEntry, { time_zone }: Facility, today: string) {
  const why = formatWhy(entry);
  return [
    ...(why === null ? [] : [{ term: 'Why', description: why }]),
    { term: 'Who', description: [entry.actor_name, entry.actor_title].filter(Boolean).join(', ') || '–' },
    { term: 'When', description: <span className="num">{formatWhen(entry, time_zone, today)}</span> },
    ...howOf(entry, time_zone),
    {
      term: 'Hash',
      description: (
        <span className="mono" title={`${entry.hash} follows ${entry.prev_hash}`}>
          {shortHash(entry.hash)} follows {shortHash(entry.prev_hash, 2)}
        </span>
      ),
    },
  ];
}

function howOf(entry: LogEntry, zone: string) {
  const { redacted_at: removedAt, is_readable: isReadable } = entry;
  if (removedAt !== null) return [{ term: 'Text removed', description: momentIn(zone, Date.parse(removedAt)) }];
  return isReadable ? [{ term: 'How', description: formatHow(entry) }] : [];
}

function formatWhy({ reason_code, reason }: LogEntry): string | null {
  const code = reason_code === null ? '' : formatReasonCode(reason_code);
  const said = code.charAt(0).toUpperCase() + code.slice(1);
  if (reason === null || reason.trim() === '') return said === '' ? null : said;
  return said === '' ? `“${reason.trim()}”` : `${said}: “${reason.trim()}”`;
}

function DayLinks({ entry, facility, today }: LogDetailsProps) {
  const day = dayHref(entry, facility);
  const { discussion_chat_id: chatId, census_date: date } = entry;
  if (day === null && chatId === null) return null;
  return (
    <div className="row wrap">
      {day !== null && date !== null && (
        <Button asChild variant="outline" color="neutral" size="sm">
          <Link href={day}>Open {formatDay(date, today)}</Link>
        </Button>
      )}
      {chatId !== null && (
        <Button asChild variant="ghost" color="neutral" size="sm">
          <Link href={discussionPath(facility.id, chatId)}>Open discussion</Link>
        </Button>
      )}
    </div>
  );
}

/** Where the day can be seen by who reads this: the unit's report, else the facility's day. */
function dayHref({ unit_id, census_date, population }: LogEntry, { permissions }: Facility): string | null {
  if (census_date === null) return null;
  if (unit_id !== null && permissions.includes('census.report_units')) {
    return reportPath({ unit: unit_id, date: census_date, population: population ?? 'adult_and_child' });
  }
  return permissions.includes('census.report_summary') ? `/census-summary?by=day&from=${census_date}` : null;
}
