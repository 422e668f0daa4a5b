import { absenceOf } from '@wardline/census/states.ts';
import type { Blocker, FacilityDay } from '@wardline/contract/census/day.ts';
import { lockFacilityDay } from '@wardline/contract/census/day.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { ArrowLeftRight, Clock, Eye, Lock, LockOpen, type LucideIcon, OctagonAlert, PenLine } from 'lucide-react';
import { type RefObject, useEffect, useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { counted, formatCount } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { reportKey } from '#/features/census/core/unit-names.ts';
import { formatDue } from '#/features/census/summary/cards/day-labels.ts';
import { dayTransfers, gapOf } from '#/features/census/summary/cards/transfer-labels.ts';
import { TRANSFERS_ID } from '#/features/census/summary/cards/transfers-card.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useOutcomeFocus } from '#/shared/forms/use-outcome-focus.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { ReopenDialog } from './reopen-dialog.tsx';
import { SignDialog } from './sign-dialog.tsx';

interface SignBarProps {
  readonly day: FacilityDay;
  /** Shows the report of a unit, by its `reportKey`. */
  readonly onOpenReport: (key: string) => void;
}

/** What keeps the day from being signed, each thing the way to its cure; or who has signed it. */
export function SignBar({ day, onOpenReport }: SignBarProps) {
  const headId = useId();
  // What was pressed is gone with the state it ended, and the dialog over it.
  const head = useOutcomeFocus<HTMLHeadingElement>(day.status, { known: day.status });
  const isSigned = day.status === 'approved' || day.status === 'locked';
  const Part = isSigned ? Signed : Open;
  return (
    <section className="sum-sign" aria-labelledby={headId}>
      <div className="sum-sign-in">
        <Part {...{ day, headId, head, onOpenReport }} />
      </div>
    </section>
  );
}

interface PartProps extends SignBarProps {
  readonly headId: string;
  readonly head: RefObject<HTMLHeadingElement | null>;
}

/** A gap can be accepted in words; everything else has to be cured. */
const isAcceptable = ({ code }: Blocker) => code === 'TRANSFER_UNRECONCILED';

function Open({ day, headId, head, onOpenReport }: PartProps) {
  const now = useNow();
  const [isSigning, setIsSigning] = useState(false);
  // The button that opened the dialog takes no focus back where something has come to block it.
  useEffect(() => {
    if (!isSigning) return;
    return () => {
      if (document.activeElement === document.body) head.current?.focus();
    };
  }, [isSigning, head]);
  const due = Date.parse(day.sign_off_due_at);
  const things = thingsOf(day);
  const isReady = day.blockers.every(isAcceptable);
  return (
    <>
      <div className="sum-sign-text">
        <h2 ref={head} id={headId} tabIndex={-1} className="row row-1">
          <Icon of={isReady ? PenLine : Lock} />
          {isReady ? readyText(things.length) : blockedText(things.length)}
        </h2>
        <p className="t12 muted num">
          <span className="only-desk">Sign-off due </span>
          <span className="only-phone">Due </span>
          {timeIn(day.time_zone, due)}, {formatDue(due, now)}
        </p>
      </div>
      {/* takes the focus where a thing that was opened from it is cured and gone */}
      <ul className="sum-blockers" aria-label="What blocks signing" tabIndex={-1}>
        {things.map(({ key, text, report, look }) => {
          const content = (
            <>
              <Icon of={look.glyph} size="sm" />
              {text}
            </>
          );
          return (
            <li key={key} className={`is-${look.tone}`}>
              {report === null ? (
                <a href={`#${TRANSFERS_ID}`}>{content}</a>
              ) : (
                <button type="button" onClick={() => onOpenReport(report)}>
                  {content}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {day.may.sign && (
        <Button size="lg" disabled={!isReady} onClick={() => setIsSigning(true)}>
          Sign and lock {shortDay(day.census_date)}
        </Button>
      )}
      {isSigning && <SignDialog day={day} onClose={() => setIsSigning(false)} />}
    </>
  );
}

const readyText = (gaps: number) => (gaps > 0 ? 'Signing needs a reason' : 'Ready to sign');
const blockedText = (length: number) => `${counted(length, 'thing')} ${length === 1 ? 'blocks' : 'block'} signing`;

/**
 * What blocks, each with the way to its cure. Several transfer gaps have one cure, the matrix, and are one thing; that a
 * side of a transfer is not known is cured by its missing report.
 */
function thingsOf(day: FacilityDay) {
  const others = day.blockers.filter((one) => !isAcceptable(one));
  const out = new Set(others.filter(({ code }) => code === 'UNIT_MISSING').map(({ unit_id }) => unit_id));
  const gaps = day.blockers.filter(
    (one) => isAcceptable(one) && !out.has(one.unit_id) && !out.has(one.partner_unit_id),
  );
  return [...others, ...gaps.slice(0, 1)].map((blocker) => ({
    key: `${blocker.code} ${blocker.unit_id} ${blocker.population}`,
    text:
      gaps.length > 1 && isAcceptable(blocker)
        ? `Transfer gap ${formatCount(gapOf(dayTransfers(day)))}, ${formatCount(gaps.length)} pairs of units`
        : blocker.message,
    report: isAcceptable(blocker) ? null : reportOf(blocker),
    look: lookOf(blocker, day),
  }));
}

/** Whose report is the cure; null: none, but the matrix of transfers. */
function reportOf({ unit_id, population }: Blocker): string | null {
  return unit_id === null ? null : reportKey({ unit_id, population: population ?? 'adult_and_child' });
}

function lookOf({ code, ...place }: Blocker, { units }: FacilityDay): { glyph: LucideIcon; tone: string } {
  if (code === 'UNIT_MISSING') {
    const unit = units.find((one) => one.unit_id === place.unit_id && one.population === place.population);
    const isWaiting = unit !== undefined && absenceOf(unit) === 'not in yet';
    return isWaiting ? { glyph: Clock, tone: 'to-do' } : { glyph: OctagonAlert, tone: 'missing' };
  }
  if (code === 'TRANSFER_UNRECONCILED') return { glyph: ArrowLeftRight, tone: 'late' };
  return { glyph: Eye, tone: 'to-do' };
}

/** The receipt of the signature, and what may still be done. */
function Signed({ day, headId, head }: PartProps) {
  const call = useCall();
  const change = useDayChange(day);
  const [isReopening, setIsReopening] = useState(false);
  const [clientId] = useState(() => uuidv7());
  const name = shortDay(day.census_date);
  const lock = useAction(async () => {
    await change(() =>
      call(lockFacilityDay, {
        params: { facility: day.facility_id, date: day.census_date },
        body: { client_id: clientId, version: day.version },
      }),
    );
    sayDone(`${name} is locked`);
  });
  const momentOf = (instant: string) => momentIn(day.time_zone, Date.parse(instant));
  return (
    <>
      <div className="sum-sign-text grow">
        <h2 ref={head} id={headId} tabIndex={-1} className="row row-1">
          <Icon of={day.status === 'locked' ? Lock : PenLine} />
          {day.status === 'locked' ? `${name} is signed and locked` : `${name} is signed`}
        </h2>
        <p className="t12 muted num">
          {day.signed_at === null
            ? 'Locked automatically, not signed'
            : `By ${day.signed_by?.name ?? 'someone who left'}, ${momentOf(day.signed_at)}`}
          {day.status === 'approved' && ` · locks automatically ${momentOf(day.locks_at)}`}
          {day.log_head !== null && (
            <>
              {' · log head '}
              <span className="mono sum-hash">{day.log_head}</span>
            </>
          )}
        </p>
        {lock.error && (
          <p role="alert" className="t13 c-error">
            {lock.error}
          </p>
        )}
      </div>
      {day.may.reopen && (
        <Button size="lg" variant="outline" color="neutral" icon={LockOpen} onClick={() => setIsReopening(true)}>
          Reopen
        </Button>
      )}
      {day.status === 'approved' && day.may.lock && (
        <Button size="lg" icon={Lock} isLoading={lock.isBusy} onClick={lock.run}>
          Lock {name}
        </Button>
      )}
      {isReopening && <ReopenDialog day={day} onClose={() => setIsReopening(false)} />}
    </>
  );
}
