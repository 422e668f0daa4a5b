import type { CitingMessage } from '@wardline/contract/chat/citations.ts';
import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { momentIn } from '#/shared/time/zoned-time.ts';
import type { useCiting } from './use-citing.ts';

interface CitingDialogProps {
  readonly field: TemplateField;
  readonly messages: readonly CitingMessage[];
  readonly list: ReturnType<typeof useCiting>['list'];
  readonly zone: string;
  readonly chatPath: string;
  readonly onClose: () => void;
}

/** The messages that cite a finding; each leads to its place in the chat. */
export function CitingDialog({ field, messages, list, zone, chatPath, onClose }: CitingDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Messages that cite ${field.label}`}
      closeLabel="Close"
    >
      <ol className="exam-citing">
        {messages.map(({ message_id, seq, sender, created_at, excerpt, cited }) => (
          <li key={message_id}>
            <Link href={`${chatPath}?message=${seq}`} onClick={onClose}>
              {excerpt}
            </Link>
            <p className="t12 muted">
              {sender.name}, <time dateTime={created_at}>{momentIn(zone, Date.parse(created_at))}</time>, version{' '}
              {cited.find((one) => one.field === field.code)?.report_version}
            </p>
          </li>
        ))}
      </ol>
      {list.hasNextPage && (
        <Button variant="link" isLoading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </Dialog>
  );
}
