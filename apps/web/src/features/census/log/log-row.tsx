import { formatUnreadable, logSentence } from '@wardline/census/log/log-sentences.ts';
import type { LogEntry } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { classNames } from '@wardline/ui/class-names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { ArrowRight, ChevronDown, Eraser, TriangleAlert } from 'lucide-react';
import { Fragment, useId } from 'react';
import { formatDay, momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { actionIcon } from './action-icon.ts';
import { LogDetails } from './log-details.tsx';

interface LogRowProps {
  readonly entry: LogEntry;
  readonly facility: Facility;
  /** The date that is running there. */
  readonly today: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One entry of the log as a sentence; pressed, it shows what changed and everything that is known of it. */
export function LogRow({ entry, facility, today, isOpen, onToggle }: LogRowProps) {
  const detailsId = useId();
  const at = Date.parse(entry.at);
  return (
    <>
      <button
        type="button"
        className="log-line"
        aria-expanded={isOpen}
        {...(isOpen ? { 'aria-controls': detailsId } : {})}
        onClick={onToggle}
      >
        <time className="log-time t12 muted" dateTime={entry.at} title={momentIn(facility.time_zone, at)}>
          {timeIn(facility.time_zone, at)}
        </time>
        <Icon of={iconOf(entry)} className="log-icon" />
        <span className="grow log-text">
          <LogSentence entry={entry} today={today} />
        </span>
        <Marks entry={entry} />
        <span className="log-seq t12 muted only-desk">{formatCount(entry.seq)}</span>
        <Icon of={ChevronDown} className={classNames('log-more', isOpen && 'is-open')} />
      </button>
      {isOpen && (
        <div className="log-details" id={detailsId}>
          <LogDetails entry={entry} facility={facility} today={today} />
        </div>
      )}
    </>
  );
}

function iconOf(entry: LogEntry) {
  if (entry.redacted_at !== null) return Eraser;
  return entry.is_readable ? actionIcon(entry) : TriangleAlert;
}

function Marks({ entry }: { entry: LogEntry }) {
  if (entry.outcome === 'refused') return <Badge tone="line">Refused</Badge>;
  if (entry.action === 'unit_day.restate') return <Badge>Restated</Badge>;
  if (!entry.after_approval) return null;
  return (
    <Badge tone="warning" icon={TriangleAlert}>
      After approval
    </Badge>
  );
}

/** What happened, in a plain sentence; what it is about stands out. */
function LogSentence({ entry, today }: { entry: LogEntry; today: string }) {
  if (!entry.is_readable) return formatUnreadable(entry.seq);
  const parts = logSentence(entry, (date) => formatDay(date, today));
  return parts.map(({ text, isStrong }, index) => {
    const Part = isStrong ? 'b' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their places
      <Part key={index}>
        <WithArrows text={text} />
      </Part>
    );
  });
}

function WithArrows({ text }: { text: string }) {
  const pieces = text.split('→');
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is cut in the same places every time
    <Fragment key={index}>
      {index > 0 && (
        <span className="log-arrow">
          <Icon of={ArrowRight} size="sm" />
          <span className="sr">to</span>
        </span>
      )}
      {piece}
    </Fragment>
  ));
}
