import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { ArrowRightLeft, FileX2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import './handovers.css';

interface HandoverFrameProps {
  readonly chatPath: string;
  readonly title: string;
  readonly context?: ReactNode;
  /** Before the button that closes it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The pane of a hand-over, with the way back to its chat. */
export function HandoverFrame({ chatPath, title, context, actions, children }: HandoverFrameProps) {
  return (
    <Pane name="detail" label={title}>
      <PaneHead
        title={title}
        {...(context !== undefined && { context })}
        leading={<Icon of={ArrowRightLeft} size="lg" />}
        back={{ href: chatPath, label: 'Back to the chat' }}
        actions={
          <>
            {actions}
            <span className="only-desk">
              <Button asChild variant="ghost" color="neutral" iconOnly icon={X} label="Close hand-over">
                <Link href={chatPath} />
              </Button>
            </span>
          </>
        }
      />
      {children}
    </Pane>
  );
}

/** The same words whether it was never there or is not one's own to read. */
export function HandoverGone({ chatPath }: { chatPath: string }) {
  return (
    <HandoverFrame chatPath={chatPath} title="Hand-over">
      <EmptyState
        icon={FileX2}
        title="You don’t have access to this hand-over"
        action={
          <Button asChild variant="outline" color="neutral">
            <Link href={chatPath}>Close</Link>
          </Button>
        }
      >
        It does not exist in this chat, or you are no longer in it.
      </EmptyState>
    </HandoverFrame>
  );
}
