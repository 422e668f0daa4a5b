import { serverNow } from '@wardline/client/server-clock.ts';
import { exportAudit } from '@wardline/contract/audit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { type AuditView, auditHref, auditQuery, isNarrowed, readAuditView } from './audit-address.ts';
import { AuditEntries } from './audit-entries.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditFrame } from './audit-frame.tsx';
import { useAudit } from './use-audit.ts';

const PATH = '/settings/audit';

interface AuditPageProps {
  readonly facility: Facility;
  /** The address's query. */
  readonly search: string;
  readonly onGo: (href: string) => void;
}

/** The audit log of a facility: filters, and the entries by day. */
export function AuditPage({ facility, search, onGo }: AuditPageProps) {
  const view = useMemo(() => readAuditView(new URLSearchParams(search)), [search]);
  const audit = useAudit(facility.id, view);
  const entries = useMemo(() => audit.data?.pages.flatMap((page) => page.data) ?? [], [audit.data]);
  const today = dayIn(facility.time_zone, serverNow());
  return (
    <AuditFrame path={PATH} facility={facility} actions={<ExportButton facilityId={facility.id} view={view} />}>
      <div className="audit">
        <AuditFilters
          facility={facility}
          view={view}
          today={today}
          entries={entries}
          onChange={(next) => onGo(auditHref(PATH, next))}
        />
        <p className="t13 muted">
          Opening a chat is listed once per person in 15 minutes; what someone reads offline on their own device is not
          seen. Entries can’t be changed without being noticed. What you look at here is listed too.
        </p>
        <AuditEntries
          list={audit}
          entries={entries}
          facility={facility}
          today={today}
          isNarrowed={isNarrowed(view)}
          chatHref={(chat) => auditHref(PATH, { chat, kind: 'read' })}
          onClear={() => onGo(PATH)}
        />
      </div>
    </AuditFrame>
  );
}

/** Takes what the filters show as a file; the audit log keeps that it was taken. */
function ExportButton({ facilityId, view }: { readonly facilityId: string; readonly view: AuditView }) {
  const { download, isBusy } = useDownload();
  const input = { params: { facility: facilityId }, query: auditQuery(view) };
  const wanted = { fileName: 'audit.csv', failed: 'The audit log was not exported' };
  return (
    <Button
      variant="outline"
      color="neutral"
      icon={Download}
      isLoading={isBusy}
      onClick={() => void download(exportAudit, input, wanted)}
    >
      Export CSV
    </Button>
  );
}
