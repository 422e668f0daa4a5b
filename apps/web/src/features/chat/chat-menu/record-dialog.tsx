import { serverNow } from '@wardline/client/server-clock.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import {
  type ChatRecord,
  exportChatRecord,
  placeLegalHold,
  type RetentionRule,
} from '@wardline/contract/chat/records.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FileDown, Lock } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { HoldRow } from '#/shared/records/hold-row.tsx';
import { useChatRecord, useRefreshRecords } from '#/shared/records/record-queries.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';

interface RecordDialogProps {
  readonly chat: Chat;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** ADM-4: how long a chat is kept and whether it is held, for who answers for the record. */
export function RecordDialog({ chat, timeZone, onClose }: RecordDialogProps) {
  const record = useChatRecord(chat);
  const [asked, setAsked] = useState<'hold' | 'export' | null>(null);
  const { download } = useDownload();
  const refresh = useRefreshRecords(chat.facility_id);
  const facility = { id: chat.facility_id, time_zone: timeZone };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closeLabel="Close"
      title="Record"
      description="Only those who answer for the record see this."
      footer={
        <>
          <Button icon={Lock} variant="outline" color="neutral" onClick={() => setAsked('hold')}>
            Place legal hold
          </Button>
          <Button icon={FileDown} onClick={() => setAsked('export')}>
            Export
          </Button>
        </>
      }
    >
      {record.isPending && <Skeleton count={2} label="Loading the record" />}
      {record.isError && !record.data && (
        <ErrorState
          level={3}
          title="The record did not load"
          message={formatFailure(record.error)}
          onRetry={() => void record.refetch()}
        />
      )}
      {record.data && <Details {...{ chat, facility }} record={record.data} />}
      {asked === 'hold' && <HoldDialog chat={chat} onClose={() => setAsked(null)} />}
      {asked === 'export' && (
        <ReasonDialog
          title="Export to the record"
          description="You get an archive with all messages and what became of them, as PDF and JSON, the files and the signed reports. Everybody in the chat reads that you took it, and why."
          submitLabel="Export"
          help="It is written into the chat."
          onClose={() => setAsked(null)}
          onSend={async ({ reason }) => {
            const input = { params: { chat: chat.id }, body: { reason } };
            await download(exportChatRecord, input, { fileName: `record-${chat.id}.zip` });
            await refresh();
          }}
        />
      )}
    </Dialog>
  );
}

interface DetailsProps {
  readonly chat: Chat;
  readonly record: ChatRecord;
  readonly facility: { readonly id: string; readonly time_zone: string };
}

function Details({ chat, record: { rule, holds, exported }, facility }: DetailsProps) {
  return (
    <div className="stack stack-4">
      <p>{formatRule(chat, rule, facility.time_zone)}</p>
      <p>{exported ? `Exported ${momentIn(facility.time_zone, Date.parse(exported.at))}.` : 'Never exported.'}</p>
      {holds.length === 0 ? (
        <p className="muted">Not on legal hold.</p>
      ) : (
        <ul className="list" aria-label="Legal holds">
          {holds.map((hold) => (
            <li key={hold.id}>
              <HoldRow facility={facility} hold={hold} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function formatRule(chat: Chat, { mode, days, effective_at }: RetentionRule, zone: string): string {
  if (days === null) return 'Messages are kept.';
  const begins = Date.parse(effective_at);
  return [
    `Messages are deleted after ${counted(days, 'day')}${mode === 'delete_exported' ? ', once they were exported' : ''}.`,
    isInCare(chat) && 'The chat is kept whole until it is closed.',
    begins > serverNow() && `Nothing is deleted before ${momentIn(zone, begins)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Of a patient's chat nothing is deleted while it goes on. */
function isInCare({ kind, state }: Chat): boolean {
  return kind === 'case' && state !== 'closed' && state !== 'archived';
}

function HoldDialog({ chat, onClose }: Pick<RecordDialogProps, 'chat' | 'onClose'>) {
  const call = useCall();
  const refresh = useRefreshRecords(chat.facility_id);
  const [clientId] = useState(() => crypto.randomUUID());
  return (
    <ReasonDialog
      title="Place legal hold"
      description="Nothing in this chat is deleted until the hold is ended: not for its age, and not by whoever wrote it. The people in it are not told."
      submitLabel="Place hold"
      help="It is read by those who answer for the record."
      onClose={onClose}
      onSend={async ({ reason }) => {
        const body = { client_id: clientId, subject: { kind: 'chat', chat_id: chat.id } as const, reason };
        await call(placeLegalHold, { params: { facility: chat.facility_id }, body });
        await refresh();
      }}
    />
  );
}
