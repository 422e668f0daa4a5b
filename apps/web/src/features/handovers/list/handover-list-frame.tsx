import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

interface HandoverListFrameProps {
  readonly context: string;
  /** At the right end of the top bar. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Head of the hand-over list. */
export function HandoverListFrame({ context, actions, children }: HandoverListFrameProps) {
  usePageTitle('Hand-over list');
  const shellActions = useShellActions();
  return (
    <>
      <TopBar
        title="Hand-over list"
        context={context}
        back={{ href: '/chats', label: 'Back to chats' }}
        actions={
          <>
            {shellActions}
            {actions}
          </>
        }
      />
      <PageContent className="in-order">{children}</PageContent>
    </>
  );
}
