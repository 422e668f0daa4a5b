import type { UnsentEntry } from '@wardline/client/outbox/shared-outbox.ts';
import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { onServerClock, serverNow } from '@wardline/client/server-clock.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { CheckCheck } from 'lucide-react';
import { useDevice, useUnsentCount } from '#/shared/contexts/device-context.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';
import { StorageNotice } from './storage-notice.tsx';

/** All that this device has not sent, of every kind, with what became of it and the way to it. */
export function UnsentDialog({ overlay }: { readonly overlay: OverlayControl<never> }) {
  const { outbox } = useDevice();
  // The count changes with every item: the list is read anew with it.
  useUnsentCount();
  const entries = outbox.entries();
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      title="Not sent yet"
      description="Kept on this device, encrypted. Waiting items send when you’re back online. Refused items need you."
      closeLabel="Close"
      size="lg"
    >
      {entries.length === 0 ? (
        <EmptyState icon={CheckCheck} level={3} title="Everything is sent" />
      ) : (
        <>
          <StorageNotice />
          <ul className="list">
            {entries.map((entry) => (
              <li key={entry.clientId}>
                <Entry entry={entry} onOpen={overlay.dismiss} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

const STATES: Readonly<Record<UnsentEntry['state'], string>> = {
  waiting: 'waiting for the network',
  sending: 'being sent',
  failed: 'refused',
};
const KINDS: Readonly<Record<string, string>> = {
  ...{ message: 'A message', 'census-report': 'A report', 'examination-move': 'A step of an examination' },
};

function Entry({ entry, onOpen }: { entry: UnsentEntry; onOpen: () => void }) {
  const { outbox } = useDevice();
  const { text, state, reason, writtenAt } = entry;
  const title = text?.title ?? KINDS[entry.kind] ?? 'Unsent work';
  const isRefused = state === 'failed';
  const zone = deviceZone();
  const said = [text?.text, reason && isRefused ? `${STATES.failed}: ${reason}` : STATES[state]].filter(Boolean);
  return (
    <ListRow
      title={
        text?.href ? (
          <Link href={text.href} onClick={onOpen}>
            {title}
          </Link>
        ) : (
          title
        )
      }
      meta={formatClock(zone, onServerClock(Date.parse(writtenAt)), serverNow())}
      text={said.join(' · ')}
      isTextWhole
      urgency={isRefused ? 'soon' : undefined}
      trailing={
        isRefused && (
          <span className="row row-1">
            <Button size="sm" variant="outline" color="neutral" onClick={() => void outbox.retry(entry.clientId)}>
              Try again
            </Button>
            <DiscardButton entry={entry} title={title} />
          </span>
        )
      }
    />
  );
}

function DiscardButton({ entry, title }: { entry: UnsentEntry; title: string }) {
  const { outbox } = useDevice();
  const confirm = useConfirm();
  const discard = () =>
    void confirm({
      title: `Discard unsent work: ${title}?`,
      description: 'It is deleted from this device for good.',
      confirmLabel: 'Discard it',
      onConfirm: () => outbox.discard(entry.clientId),
    });
  return (
    <Button size="sm" variant="ghost" color="error" onClick={discard}>
      Discard
    </Button>
  );
}
