import type { Message } from '@wardline/contract/chat/chat.ts';
import { listMessageVersions, type MessageVersion } from '@wardline/contract/chat/chat-changes.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useCallback, useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';

interface VersionsDialogProps {
  readonly message: Message;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** What a message said before it was edited, the newest first. */
export function VersionsDialog({ message, timeZone, onClose }: VersionsDialogProps) {
  const call = useCall();
  const [versions, setVersions] = useState<readonly MessageVersion[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | { readonly error: string }>('loading');
  const { id, chat_id } = message;
  const load = useCallback(
    async (from: string | null) => {
      setState('loading');
      try {
        const query = from === null ? {} : { cursor: from };
        const page = await call(listMessageVersions, { params: { chat: chat_id, message: id }, query });
        setVersions((before) => (from === null ? page.data : [...before, ...page.data]));
        setCursor(page.next_cursor);
        setState('ready');
      } catch (error) {
        setState({ error: formatFailure(error) });
      }
    },
    [call, chat_id, id],
  );
  useEffect(() => void load(null), [load]);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Edits" closeLabel="Close">
      <ol className="m-versions">
        {versions.map(({ version, body, written_at }, index) => (
          <li key={version}>
            <p className="m-versions-at">
              <time dateTime={written_at}>{momentIn(timeZone, Date.parse(written_at))}</time>
              {index === 0 && ' · now'}
            </p>
            <p className="m-text" dir="auto">
              {body}
            </p>
          </li>
        ))}
      </ol>
      {state === 'loading' && <Skeleton shape="text" count={2} label="Loading edits" />}
      {typeof state === 'object' && <Banner tone="error">{state.error}</Banner>}
      {state === 'ready' && cursor !== null && (
        <Button variant="link" onClick={() => void load(cursor)}>
          Show earlier
        </Button>
      )}
    </Dialog>
  );
}
