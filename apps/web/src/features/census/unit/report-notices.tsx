import type { OwedReport, UnitDay } from '@wardline/contract/census.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ArrowRight, CloudOff, GitCompareArrows } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useAction } from '#/page/use-action.ts';
import { momentIn, timeIn } from '#/page/zoned-time.ts';
import { reportPath, threadPath } from '../census-paths.ts';
import { useReport } from './report-view.ts';
import { dateWords } from './report-words.ts';
import { placeOf } from './use-reports.ts';

interface ReportNoticesProps {
  /** What is still owed after this report. */
  readonly next: OwedReport | null;
  readonly isFromDevice: boolean;
  readonly onCompare: () => void;
}

/** What a person has to know of the report before they go on with it. */
export function ReportNotices({ next, isFromDevice, onCompare }: ReportNoticesProps) {
  const { state, general } = useReport();
  const { day, unsent, receipt, isConflicting } = state;
  const isRefused = unsent?.state === 'failed';
  return (
    <>
      {receipt && <Receipt receipt={receipt} next={next} />}
      {isFromDevice && (
        <Banner tone="neutral" icon={CloudOff} title="From this device.">
          The server could not be reached. What you submit is kept and goes out by itself.
        </Banner>
      )}
      {unsent && !isRefused && <Waiting />}
      {isConflicting ? (
        <Banner
          tone="warning"
          title="This report was changed by somebody else."
          action={
            <Button variant="outline" color="neutral" size="sm" icon={GitCompareArrows} onClick={onCompare}>
              {isRefused ? 'Resolve' : 'Compare'}
            </Button>
          }
        >
          {day.may.edit
            ? 'What you typed is kept. Choose field by field what counts.'
            : `${isRefused ? `${unsent.reason} ` : ''}What you typed is kept here, to be looked at and dropped.`}
        </Banner>
      ) : (
        isRefused && (
          <Banner tone="error" title="This report was not taken.">
            {unsent.reason} What you typed is kept here; correct it and submit again.
          </Banner>
        )
      )}
      {!receipt && <Standing day={day} />}
      {general.length > 0 && <Banner tone="error">{general.map(({ message }) => message).join(' ')}</Banner>}
    </>
  );
}

/** Where the report stands, and the words with which it was given back or opened again. */
function Standing({ day }: { day: UnitDay }) {
  const thread = day.thread_chat_id && (
    <Link className="sheet-link" href={threadPath(day.facility_id, day.thread_chat_id)}>
      Open its thread
    </Link>
  );
  if (day.status === 'returned' || day.status === 'amending') {
    return (
      <Banner tone="warning" title={day.status === 'returned' ? 'Returned.' : 'Open for a correction.'} action={thread}>
        {day.last_reason}
      </Banner>
    );
  }
  if (day.status === 'submitted') {
    return (
      <Banner tone="info" title="Submitted" action={thread}>
        {by(day.submitted_by?.name, day.submitted_at, day.time_zone)}
      </Banner>
    );
  }
  if (day.status === 'approved' || day.status === 'locked') {
    return (
      <Banner tone="success" title={day.status === 'locked' ? 'Locked.' : 'Approved'} action={thread}>
        {by(day.approved_by?.name, day.approved_at, day.time_zone)}
        {day.status === 'locked' && ' A change needs a reason and is marked on later days.'}
      </Banner>
    );
  }
  return null;
}

function by(name: string | undefined, at: string | null, zone: string): string {
  const who = name === undefined ? '' : `by ${name}`;
  return at === null ? who : `${who} on ${momentIn(zone, Date.parse(at))}.`;
}

function Waiting() {
  const { state, editor } = useReport();
  const takeBack = useAction(() => editor.takeBack());
  const isSending = state.unsent?.state === 'sending';
  return (
    <Banner
      tone="neutral"
      icon={CloudOff}
      title={isSending ? 'Being sent.' : 'Submitted on this device.'}
      action={
        !isSending && (
          <Button variant="outline" color="neutral" size="sm" isLoading={takeBack.isBusy} onClick={takeBack.run}>
            Take back
          </Button>
        )
      }
    >
      {isSending ? 'It is kept here until the server has it.' : 'It waits for the network and goes out by itself.'}
      {takeBack.trouble && ` ${takeBack.trouble}`}
    </Banner>
  );
}

/** What the server has, with the next report one key away. */
function Receipt({ receipt, next }: { receipt: UnitDay; next: OwedReport | null }) {
  const onward = useRef<HTMLAnchorElement>(null);
  useEffect(() => onward.current?.focus(), []);
  const at = timeIn(receipt.time_zone, Date.parse(receipt.submitted_at ?? receipt.due_at));
  return (
    <Banner
      tone="success"
      title={`Submitted ${dateWords(receipt.census_date, receipt.time_zone)} at ${at}, ${receipt.is_on_time === false ? 'late' : 'on time'}.`}
      action={
        next && (
          <Button asChild size="sm" trailingIcon={ArrowRight}>
            <Link ref={onward} href={reportPath(placeOf(next))}>
              Next: {next.unit_code}, {dateWords(next.census_date, next.time_zone)}
            </Link>
          </Button>
        )
      }
    >
      Closing {receipt.closing}, service days {receipt.service_days}.
    </Banner>
  );
}
