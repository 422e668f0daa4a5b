import { onServerClock } from '@wardline/client/server-clock.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Difference } from '#/features/examinations/report/report-versions.tsx';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { MOVE_TITLES } from './move-payload.ts';
import { type MoveItem, movedEntries, useMoveOutbox } from './use-waiting-moves.ts';

interface WaitingMovesProps {
  readonly waiting: readonly MoveItem[];
  readonly refused: readonly MoveItem[];
  /** As it stands on the server, as far as this device knows. */
  readonly stored: Examination;
  readonly subject: Subject;
  /** Those that are being done anew. */
  readonly taken: readonly string[];
  /** What was typed and why come back into the form, to be looked at and pressed anew. */
  readonly onTake: (item: MoveItem) => void;
}

/** What was pressed here and has not arrived: what waits, since when, and what was refused, why and what can be done. */
export function WaitingMoves({ waiting, refused, stored, subject, taken, onTake }: WaitingMovesProps) {
  return (
    <>
      {refused.map((item) => (
        <Refused key={item.clientId} {...{ item, stored, subject, onTake }} isTaken={taken.includes(item.clientId)} />
      ))}
      {waiting.map((item) => (
        <Waiting key={item.clientId} item={item} isLast={item === waiting.at(-1)} onTake={onTake} />
      ))}
    </>
  );
}

function Waiting({ item, isLast, onTake }: { item: MoveItem; isLast: boolean; onTake: (item: MoveItem) => void }) {
  const { unsent } = useMoveOutbox();
  const now = useNow();
  const { event, reason, unalerted, numbers } = item.payload;
  const waitedMs = now - onServerClock(Date.parse(item.writtenAt));
  const age = waitedMs < 60_000 ? 'just now' : `${formatSpan(waitedMs)} ago`;
  const takeBack = async () => {
    onTake(item);
    await unsent.discard(item.clientId);
  };
  return (
    <>
      {unalerted.length > 0 && (
        <Banner isFlush tone="error" title="Nobody has been alerted yet.">
          {unalerted.join('; ')}. The alert goes out when this is sent. Call by telephone now
          {numbers.length > 0 && ': '}
          {numbers.map(({ name, phone }, index) => (
            <span key={phone}>
              {index > 0 && ', '}
              {name} <a href={`tel:${phone.replaceAll(/[^\d+*#]/g, '')}`}>{phone}</a>
            </span>
          ))}
          .
        </Banner>
      )}
      <Banner
        isFlush
        tone="warning"
        announce={isLast ? 'status' : 'none'}
        title={`${MOVE_TITLES[event]} waits to be sent.`}
        action={
          isLast &&
          item.state === 'waiting' && (
            <Button variant="link" size="sm" onClick={() => void takeBack()}>
              Take back
            </Button>
          )
        }
      >
        Pressed {age} on this device. Others don’t see it yet.{reason && ` Reason: ${reason}`}
      </Banner>
    </>
  );
}

const NOT_DONE: Readonly<Record<MoveItem['payload']['event'], string>> = {
  ...{ request: 'Not requested.', start: 'Not started.', return: 'Not returned.', sign: 'Not signed.' },
  ...{ amend: 'Not amended.', cancel: 'Not cancelled.', mark_in_error: 'Not marked as entered in error.' },
  acknowledge: 'Not acknowledged.',
};

interface RefusedProps extends Pick<WaitingMovesProps, 'stored' | 'subject' | 'onTake'> {
  readonly item: MoveItem;
  readonly isTaken: boolean;
}

function Refused({ item, stored, subject, isTaken, onTake }: RefusedProps) {
  const { unsent } = useMoveOutbox();
  const confirm = useConfirm();
  const { event, reason, seen, typed, unalerted } = item.payload;
  const { fields } = seen.template;
  const isSigning = event === 'sign' || event === 'amend';
  const isMuch = isSigning || reason !== null || Object.keys(typed).length > 0;
  const discard = () =>
    void confirm({
      title: `Discard this ${MOVE_TITLES[event].toLowerCase()}?`,
      description: 'What was typed for it and its reason are deleted from this device for good.',
      confirmLabel: 'Discard',
      onConfirm: () => unsent.discard(item.clientId),
    });
  return (
    <>
      <Banner
        isFlush
        tone="error"
        title={NOT_DONE[event]}
        action={
          <span className="row row-1">
            {isMuch && !isTaken && (
              <Button variant="link" size="sm" onClick={() => onTake(item)}>
                Do it again
              </Button>
            )}
            <Button variant="link" size="sm" onClick={isMuch ? discard : () => void unsent.discard(item.clientId)}>
              {isMuch ? 'Discard' : 'Dismiss'}
            </Button>
          </span>
        }
      >
        {item.reason}
        {unalerted.length > 0 && ` Nobody has been alerted: ${unalerted.join('; ')}. Call by telephone.`}
        {reason && ` Your reason: ${reason}`}
      </Banner>
      {(isSigning || Object.keys(typed).length > 0) && (
        <section className="exam-block" aria-label="What stands now, against what you saw">
          <h3>{isSigning ? 'From what you signed to what stands now' : 'From what you typed to what stands now'}</h3>
          <Difference
            fields={fields}
            fieldsAfter={stored.template.fields}
            before={movedEntries(item, subject)}
            after={stored.entries}
          />
        </section>
      )}
    </>
  );
}
