import type { HandoverSummary } from '@wardline/contract/examinations/handovers.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { ArrowRightLeft } from 'lucide-react';
import { SEVERITY_LOOKS, STATE_LOOKS } from './handover-labels.ts';
import './handovers.css';

/** A hand-over in one line that leads to it: how ill, from whom to whom, what is open, how it stands. */
export function HandoverLink({ handover }: { readonly handover: HandoverSummary }) {
  const { id, chat_id, facility_id, state, severity, from, to, role, open_actions } = handover;
  const look = STATE_LOOKS[state];
  const ill = severity && SEVERITY_LOOKS[severity];
  return (
    <Link className="hand-link" href={`/chat/f-${facility_id}/c-${chat_id}/h-${id}`}>
      <Icon of={ArrowRightLeft} />
      <span className="hand-link-words">
        <b className="semi strong">{from}</b> → <b className="semi strong">{to}</b>
        {role && `, ${role}`}
        {open_actions > 0 && (state === 'given' || state === 'received') && ` · ${open_actions} to do`}
      </span>
      {ill && (
        <Badge tone={ill.tone} icon={ill.icon}>
          {ill.word}
        </Badge>
      )}
      <Badge tone={look.tone} icon={look.icon}>
        {look.word}
      </Badge>
    </Link>
  );
}
