import type { AuditEntry } from '@wardline/contract/audit.ts';
import type { AuditKind } from '@wardline/contract/audit-actions.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import {
  ClipboardList,
  Download,
  Eye,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  OctagonAlert,
  Settings,
  Trash2,
  Users,
} from 'lucide-react';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { formatActor, formatChat } from './audit-labels.ts';

const ICONS: Readonly<Record<AuditKind, LucideIcon>> = {
  read: Eye,
  sign_in: KeyRound,
  access: Users,
  export: Download,
  deletion: Trash2,
  chat: MessageSquare,
  census: ClipboardList,
  settings: Settings,
};

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly timeZone: string;
  readonly chatHref: (chatId: string) => string;
}

/** Who did or read what, of whom, when and from where. */
export function AuditRow({ entry, timeZone, chatHref }: AuditRowProps) {
  const { kind, what, outcome, times, chat, person, ip } = entry;
  const at = Date.parse(entry.at);
  const isRefused = outcome === 'refused';
  return (
    <div className="audit-row">
      <time className="audit-time t12 muted" dateTime={entry.at} title={momentIn(timeZone, at)}>
        {timeIn(timeZone, at)}
      </time>
      <Icon of={isRefused ? OctagonAlert : ICONS[kind ?? 'settings']} className="audit-icon" />
      <div className="grow audit-text">
        <p>
          <b>{formatActor(entry)}</b> · {what}
          {person && ` · ${person.name}`}
        </p>
        {chat && (
          <p className="t13">
            <Link className="audit-chat" href={chatHref(chat.id)}>
              {formatChat(chat)}
            </Link>
          </p>
        )}
      </div>
      {isRefused && <Badge tone="line">{times > 1 ? `Refused ${formatCount(times)} times` : 'Refused'}</Badge>}
      {ip !== null && <span className="audit-address t12 muted only-desk">{ip}</span>}
    </div>
  );
}
