import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

const RecordedPage = lazyPart<object>(async () => (await import('./recorded-page.tsx')).RecordedPage, {
  whileLoading: () => <Skeleton count={8} label="Loading" />,
  whenMissing: () => (
    <ErrorState
      title="This page did not load"
      message="There may be a newer version of it."
      retryLabel="Load again"
      onRetry={() => window.location.reload()}
    />
  ),
});

/** What is recorded and for how long, and who sees what, for everybody who is signed in. */
export function RecordedScreen(): ReactNode {
  usePageTitle('What is recorded');
  return (
    <>
      <TopBar
        title="What is recorded"
        context="For how long, and who can see it"
        actions={useShellActions()}
        back={{ href: '/settings#data', label: 'Settings' }}
      />
      <PageContent>
        <RecordedPage />
      </PageContent>
    </>
  );
}
