import { serverNow } from '@wardline/client/server-clock.ts';
import type { ExaminationSummary } from '@wardline/contract/examinations/examinations.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { CircleX, CloudOff } from 'lucide-react';
import { stateBadge, TYPE_ICONS, TYPE_LABELS } from '#/features/examinations/core/examination-labels.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import '#/features/examinations/core/examinations.css';

interface ExaminationLinkProps {
  readonly examination: ExaminationSummary;
  /** Of one that is on this device alone. */
  readonly unsent?: 'waiting' | 'refused';
  /** Where it stands among others: since when it is as it is, on the clock of its facility. */
  readonly timeZone?: string;
}

const UNSENT_LOOKS = {
  waiting: { word: 'Waiting to be sent', tone: 'warning', icon: CloudOff },
  refused: { word: 'Not begun', tone: 'error', icon: CircleX },
} as const;

/** An examination in one line that leads to it: what it is, what is critical, how it stands. */
export function ExaminationLink({ examination, unsent, timeZone }: ExaminationLinkProps) {
  const { id, chat_id, facility_id, type, title, state, critical, must_acknowledge, updated_at } = examination;
  const badge = unsent ? UNSENT_LOOKS[unsent] : stateBadge(examination);
  const grave = critical.map(({ label, value, interpretation }) => `${label} ${value}, ${interpretation}`).join('; ');
  return (
    <Link className="exam-link" href={`/chat/f-${facility_id}/c-${chat_id}/e-${id}`}>
      <Icon of={TYPE_ICONS[type]} />
      <span className={grave ? 'exam-link-grave' : 'clip'}>
        <b className={state === 'entered_in_error' ? 'exam-struck' : undefined}>{title}</b>
        {grave ? <span className="c-error semi">: {grave}</span> : kindBeside(title, TYPE_LABELS[type])}
        {timeZone && (
          <time className="exam-link-time" dateTime={updated_at}>
            {formatClock(timeZone, Date.parse(updated_at), serverNow())}
          </time>
        )}
      </span>
      {must_acknowledge && <Badge tone="warning">Acknowledge</Badge>}
      <Badge tone={badge.tone} icon={badge.icon}>
        {badge.word}
      </Badge>
    </Link>
  );
}

/** What kind it is, where its title does not say so: `Blood count, laboratory`, but `12-lead ECG`. */
function kindBeside(title: string, kind: string): string {
  if (title.toLowerCase().includes(kind.toLowerCase())) return '';
  return `, ${kind === kind.toUpperCase() ? kind : kind.toLowerCase()}`;
}
