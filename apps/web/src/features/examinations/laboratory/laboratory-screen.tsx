import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

interface LaboratoryScreenProps {
  readonly facility: Facility;
}

/** Results that reached no chat, what came, and how the laboratory is heard. */
export const LaboratoryScreen = lazyPart(async () => (await import('./laboratory-page.tsx')).LaboratoryPage, {
  whileLoading: (_: LaboratoryScreenProps) => <Skeleton count={6} label="Loading" />,
  whenMissing: (_: LaboratoryScreenProps) => (
    <ErrorState
      title="This page did not load"
      message="There may be a newer version of it."
      retryLabel="Load again"
      onRetry={() => window.location.reload()}
    />
  ),
});
