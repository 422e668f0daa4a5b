import { exportChatRecord, type UnexportedChat } from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useRefreshRecords, useUnexportedChats } from '#/shared/records/record-queries.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';

/** What is kept only because nobody has exported it; nothing is drawn where there is none. */
export function UnexportedCard({ facility }: { readonly facility: Facility }) {
  const list = useUnexportedChats(facility.id);
  const waiting = list.data?.pages.flatMap((page) => page.data);
  if (waiting === undefined && list.isError)
    return (
      <NotLoaded
        title="The chats that wait for an export did not load"
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  if (waiting === undefined || waiting.length === 0) return null;
  return (
    <Card isList>
      <CardHead
        title="Waiting for an export"
        level={3}
        aside={<span className="t12 muted">Old enough to be deleted, and kept until they are exported.</span>}
      />
      <ul className="list" aria-label="Waiting for an export">
        {waiting.map((one) => (
          <li key={one.chat.id}>
            <UnexportedRow facility={facility} {...one} />
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </Card>
  );
}

function UnexportedRow({ facility, chat, exported_at: exportedAt }: UnexportedChat & { readonly facility: Facility }) {
  const { download } = useDownload();
  const refresh = useRefreshRecords(facility.id);
  const [isAsking, setIsAsking] = useState(false);
  const { patient, title } = chat;
  const name = patient ? `${patient.name}, ${patient.identifier}` : (title ?? 'A direct chat');
  return (
    <>
      <ListRow
        title={name}
        text={
          exportedAt
            ? `Changed since it was exported, ${momentIn(facility.time_zone, Date.parse(exportedAt))}`
            : 'Never exported'
        }
        trailing={
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            icon={FileDown}
            label={`Export ${name}`}
            onClick={() => setIsAsking(true)}
          >
            Export
          </Button>
        }
      />
      {isAsking && (
        <ReasonDialog
          title="Export to the record"
          description={`${name}: you get an archive with all messages and what became of them, as PDF and JSON, the files and the signed reports. Everybody in the chat reads that you took it, and why.`}
          submitLabel="Export"
          help="It is written into the chat."
          onClose={() => setIsAsking(false)}
          onSend={async ({ reason }) => {
            const input = { params: { chat: chat.id }, body: { reason } };
            await download(exportChatRecord, input, { fileName: `record-${chat.id}.zip` });
            await refresh();
          }}
        />
      )}
    </>
  );
}
