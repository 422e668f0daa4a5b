import { serverNow } from '@wardline/client/server-clock.ts';
import type { AuditEntry } from '@wardline/contract/audit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useMemo } from 'react';
import { DialogChip } from '#/shared/log-view/filter-chip.tsx';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { auditHref, readAuditView } from './audit-address.ts';
import { AuditEntries } from './audit-entries.tsx';
import { AuditFrame } from './audit-frame.tsx';
import { formatChat } from './audit-labels.ts';
import { useReaders } from './use-audit.ts';

const PATH = '/settings/readers';

interface ReadersPageProps {
  readonly facility: Facility;
  /** The address's query. */
  readonly search: string;
  readonly onGo: (href: string) => void;
}

/** Who else opened the chats that I write in; a press on one narrows the list to it. */
export function ReadersPage({ facility, search, onGo }: ReadersPageProps) {
  const { chat } = useMemo(() => readAuditView(new URLSearchParams(search)), [search]);
  const readers = useReaders(chat);
  const entries = useMemo(
    (): AuditEntry[] => readers.data?.pages.flatMap((page) => page.data.map((entry) => ({ ...entry, ip: null }))) ?? [],
    [readers.data],
  );
  const shown = entries.find((entry) => entry.chat?.id === chat)?.chat;
  return (
    <AuditFrame path={PATH} facility={facility}>
      <div className="audit">
        {chat !== null && (
          <div className="chips">
            <DialogChip
              label="Chat"
              text={shown ? formatChat(shown) : 'One chat'}
              onOpen={() => undefined}
              onClear={() => onGo(PATH)}
            />
          </div>
        )}
        <p className="t13 muted">
          Opening a chat is listed once per person in 15 minutes; what someone reads offline on their own device is not
          seen. Who looks after the audit log is listed when they look up your chats.
        </p>
        <AuditEntries
          list={readers}
          entries={entries}
          facility={facility}
          today={dayIn(facility.time_zone, serverNow())}
          isNarrowed={chat !== null}
          chatHref={(id) => auditHref(PATH, { chat: id })}
          onClear={() => onGo(PATH)}
        />
      </div>
    </AuditFrame>
  );
}
