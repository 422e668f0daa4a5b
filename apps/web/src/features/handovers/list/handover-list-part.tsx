import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { HandoverListFrame } from './handover-list-frame.tsx';
import type { HandoverListScreenProps } from './handover-list-screen.tsx';

/** The hand-over list of a unit: its code comes when it is opened. */
export const HandoverListScreen = lazyPart(
  async () => (await import('./handover-list-screen.tsx')).HandoverListScreen,
  {
    whileLoading: ({ facility }: HandoverListScreenProps) => (
      <HandoverListFrame context={facility.name}>
        <Skeleton count={6} label="Loading the hand-over list" />
      </HandoverListFrame>
    ),
    whenMissing: ({ facility }: HandoverListScreenProps) => (
      <HandoverListFrame context={facility.name}>
        <ErrorState
          title="This page did not load"
          message="There may be a newer version of it."
          retryLabel="Load again"
          onRetry={() => window.location.reload()}
        />
      </HandoverListFrame>
    ),
  },
);
