import type { EmergencyAccess } from '@wardline/contract/chat/emergency-access.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Siren } from 'lucide-react';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { formatChat } from './audit-labels.ts';

interface EmergencyRowProps {
  readonly access: EmergencyAccess;
  readonly timeZone: string;
  readonly onReview: () => void;
}

/** Who opened which chat, why, and what was said about it. */
export function EmergencyRow({ access, timeZone, onReview }: EmergencyRowProps) {
  const { chat, person, reason, review } = access;
  const at = Date.parse(access.opened_at);
  return (
    <div className="audit-row">
      <time className="audit-time t12 muted" dateTime={access.opened_at} title={momentIn(timeZone, at)}>
        {timeIn(timeZone, at)}
      </time>
      <Icon of={Siren} className="audit-icon" />
      <div className="grow audit-text">
        <p>
          <b>{person.name}</b> · {formatChat(chat)}
        </p>
        <p className="t13" dir="auto">
          {reason}
        </p>
        <p className="t13 muted">
          {access.is_open
            ? `In the chat until ${timeIn(timeZone, Date.parse(access.ends_at))}`
            : 'The emergency access is over'}
          {review && ` · reviewed by ${review.by.name}`}
          {review?.note && `: ${review.note}`}
        </p>
      </div>
      {review === null ? (
        <Button variant="outline" color="neutral" size="sm" label={`Review ${person.name}`} onClick={onReview}>
          Review
        </Button>
      ) : (
        <Badge tone={review.verdict === 'justified' ? 'line' : 'error'}>
          {review.verdict === 'justified' ? 'Justified' : 'Not justified'}
        </Badge>
      )}
    </div>
  );
}
