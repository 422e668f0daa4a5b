import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { FileX2 } from 'lucide-react';

/** The same words whether an examination was never there or is not one's own to read. */
export function ExaminationGone({ chatPath }: { chatPath: string }) {
  return (
    <Pane name="detail" label="Examination">
      <PaneHead title="Examination" back={{ href: chatPath, label: 'Back to the chat' }} />
      <EmptyState
        icon={FileX2}
        title="You don’t have access to this examination"
        action={
          <Button asChild variant="outline" color="neutral">
            <Link href={chatPath}>Close</Link>
          </Button>
        }
      >
        It does not exist in this chat, or you are no longer in it.
      </EmptyState>
    </Pane>
  );
}
