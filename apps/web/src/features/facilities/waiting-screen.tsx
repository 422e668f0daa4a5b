import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Hourglass } from 'lucide-react';
import { usePageTitle } from '#/page/page-title.ts';
import { useShellActions } from '#/page/shell-actions.ts';

/** ACC-1: somebody without a facility waits for an administrator, and is told so. */
export function WaitingScreen({ email }: { email: string }) {
  usePageTitle('Waiting');
  return (
    <>
      <TopBar title="Waiting to be admitted" actions={useShellActions()} />
      <PageContent>
        <EmptyState icon={Hourglass} title="You do not belong to a facility yet">
          Your account works. An administrator of your hospital has to admit {email} before there is anything to see;
          this page moves on by itself when that happens.
        </EmptyState>
      </PageContent>
    </>
  );
}
