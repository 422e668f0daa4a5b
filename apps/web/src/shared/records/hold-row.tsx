import { type LegalHold, liftLegalHold } from '@wardline/contract/chat/records.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { useState } from 'react';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { useRefreshRecords } from './record-queries.ts';

interface HoldRowProps {
  readonly facility: { readonly id: string; readonly time_zone: string };
  readonly hold: LegalHold;
}

/** What is held, why, since when and by whom; it is ended here. */
export function HoldRow({ facility, hold }: HoldRowProps) {
  const call = useConfirmedCall();
  const refresh = useRefreshRecords(facility.id);
  const [isEnding, setIsEnding] = useState(false);
  const subject = formatSubject(hold.subject);
  return (
    <>
      <ListRow
        title={subject}
        mark={
          hold.lifted ? <Badge>Ended</Badge> : reachesNothing(hold) && <Badge tone="warning">Holds nothing yet</Badge>
        }
        text={formatText(facility, hold)}
        isTextWhole
        trailing={
          !hold.lifted && (
            <Button
              variant="outline"
              color="neutral"
              size="sm"
              label={`End hold of ${subject}`}
              onClick={() => setIsEnding(true)}
            >
              End
            </Button>
          )
        }
      />
      {isEnding && (
        <ReasonDialog
          title="End legal hold"
          description={`${subject}: what is old enough is deleted from the next night on, and files of deleted messages with it.`}
          submitLabel="End hold"
          help="It stays with the hold."
          onClose={() => setIsEnding(false)}
          onSend={async ({ reason }) => {
            await call(liftLegalHold, { params: { facility: facility.id, legal_hold: hold.id }, body: { reason } });
            await refresh();
          }}
        />
      )}
    </>
  );
}

/** Of a number that no chat has: one that is opened later, or a slip. */
function reachesNothing({ subject }: LegalHold): boolean {
  return subject.kind === 'patient' && subject.chat_count === 0;
}

/** Whole, also where the title is cut off: it is what has to be checked. */
function numberOf({ subject }: LegalHold): string {
  return subject.kind === 'patient' ? subject.identifier : '';
}

function formatText({ time_zone: zone }: HoldRowProps['facility'], hold: LegalHold): string {
  const { reason, placed_by: by, placed_at: at, lifted } = hold;
  return [
    !lifted && reachesNothing(hold) && `No chat of this facility has the number ${numberOf(hold)}: check it`,
    reason,
    `${by.name}, ${momentIn(zone, Date.parse(at))}`,
    lifted && `ended by ${lifted.by.name}, ${momentIn(zone, Date.parse(lifted.at))}: ${lifted.reason}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function formatSubject(subject: LegalHold['subject']): string {
  if (subject.kind === 'person') return `All that ${subject.person.name} wrote`;
  if (subject.kind === 'patient') {
    return `Patient ${subject.identifier}, ${counted(subject.chat_count, 'chat', 'chats')}`;
  }
  const { patient, title } = subject.chat;
  return patient ? `${patient.name}, ${patient.identifier}` : (title ?? 'A direct chat');
}
