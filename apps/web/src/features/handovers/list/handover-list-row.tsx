import { serverNow } from '@wardline/client/server-clock.ts';
import type { HandoverAction, HandoverListRow } from '@wardline/contract/examinations/handovers.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { classNames } from '@wardline/ui/class-names.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { FlaskConical, OctagonAlert } from 'lucide-react';
import { SEVERITY_LOOKS } from '#/features/handovers/core/handover-labels.ts';
import { clock } from '#/features/handovers/core/patient-line.tsx';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';
import { formatCritical, formatGiving, formatUrgent, isWithout, STANDING_LOOKS } from './handover-list-labels.ts';

interface HandoverListRowProps {
  readonly row: HandoverListRow;
  readonly zone: string;
}

/** A patient on the list: who it is and where, how the hand-over stands, what is still to be done, what is urgent, and the next step. */
export function PatientRow({ row, zone }: HandoverListRowProps) {
  const { chat_id, facility_id, patient, standing, handover, to_do, urgent, critical, can_give } = row;
  const chatPath = `/chat/f-${facility_id}/c-${chat_id}`;
  const look = STANDING_LOOKS[standing];
  const severity = handover?.severity && SEVERITY_LOOKS[handover.severity];
  // How ill somebody was said to be in a shift before stands with that, and is no badge of now.
  const ill = standing === 'none' ? null : severity;
  const isUrgent = urgent + critical > 0 || standing === 'declined';
  return (
    <li className={classNames('lrow hlist-row', isUrgent ? 'is-urgent' : isWithout(row) && 'is-soon')}>
      <p className="hlist-bed num strong semi">
        <span className="sr">Bed </span>
        {patient.bed ?? 'No bed'}
      </p>
      <div className="hlist-body">
        <p className="row wrap">
          <Link className="semi" href={chatPath}>
            {patient.name}
          </Link>
          <span className="muted num">
            <span className="whole">{formatIdentifier(patient.identifier)}</span>
            {patient.born_on && ` · born ${formatBirthDate(patient.born_on)}`}
          </span>
        </p>
        <p className="row wrap">
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
          {ill && (
            <Badge tone={ill.tone} icon={ill.icon}>
              {ill.word}
            </Badge>
          )}
          {critical > 0 && (
            <Badge tone="error" icon={FlaskConical}>
              {formatCritical(critical)}
            </Badge>
          )}
          {urgent > 0 && (
            <Badge tone="error" icon={OctagonAlert}>
              {formatUrgent(urgent)}
            </Badge>
          )}
        </p>
        {handover && (
          <p>
            {standing === 'none' && 'Last: '}
            <Link href={`${chatPath}/h-${handover.id}`}>{formatGiving(handover)}</Link>
            <span className="muted num">
              {standing === 'none' && severity && ` · ${severity.word}`} · {clock(zone, handover.given_at)}
            </span>
          </p>
        )}
        {to_do.length > 0 && (
          <ul className="hlist-todo" aria-label={`To do: ${patient.name}`}>
            {to_do.map((action) => (
              <li key={action.id}>
                <ToDo {...{ action, zone }} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {can_give && isWithout(row) && (
        <Button asChild size="lg" variant="outline">
          <Link href={`${chatPath}/h-${chat_id}`}>
            Hand over<span className="sr">: {patient.name}</span>
          </Link>
        </Button>
      )}
    </li>
  );
}

function ToDo({ action: { text, owner, due_at }, zone }: { readonly action: HandoverAction; readonly zone: string }) {
  const isLate = due_at !== null && Date.parse(due_at) < serverNow();
  const about = [owner, due_at && `by ${clock(zone, due_at)}`].filter(Boolean).join(', ');
  return (
    <>
      <span dir="auto">{text}</span>
      {about && <span className={isLate ? 'c-error' : 'muted'}>{` · ${isLate ? 'Late: ' : ''}${about}`}</span>}
    </>
  );
}
