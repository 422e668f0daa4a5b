import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { PeopleFrame } from './people-frame.tsx';
import type { PeopleScreenProps } from './people-screen.tsx';

/** The directory: its code comes when it is opened. */
export const PeopleScreen = lazyPart(async () => (await import('./people-screen.tsx')).PeopleScreen, {
  whileLoading: ({ facility }: PeopleScreenProps) => (
    <PeopleFrame facility={facility}>
      <Skeleton count={8} label="Loading people" />
    </PeopleFrame>
  ),
  whenMissing: ({ facility }: PeopleScreenProps) => (
    <PeopleFrame facility={facility}>
      <ErrorState
        title="This page did not load"
        message="There may be a newer version of it."
        retryLabel="Load again"
        onRetry={() => window.location.reload()}
      />
    </PeopleFrame>
  ),
});
