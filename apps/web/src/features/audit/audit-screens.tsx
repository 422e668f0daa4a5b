import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { AuditFrame, type AuditPath } from './audit-frame.tsx';

interface AuditScreenProps {
  readonly facility: Facility;
}

/** What stands while the code of a page comes, and where it does not. */
const around = (path: AuditPath) => ({
  whileLoading: ({ facility }: AuditScreenProps) => (
    <AuditFrame path={path} facility={facility}>
      <Skeleton count={8} label="Loading" />
    </AuditFrame>
  ),
  whenMissing: ({ facility }: AuditScreenProps) => (
    <AuditFrame path={path} facility={facility}>
      <ErrorState
        title="This page did not load"
        message="There may be a newer version of it."
        retryLabel="Load again"
        onRetry={() => window.location.reload()}
      />
    </AuditFrame>
  ),
});

/** Who did and read what in a facility. */
export const AuditScreen = lazyPart(
  async () => (await import('./audit-pages.tsx')).AuditScreen,
  around('/settings/audit'),
);

/** Who opened chats in an emergency, to be signed off. */
export const EmergencyScreen = lazyPart(
  async () => (await import('./audit-pages.tsx')).EmergencyScreen,
  around('/settings/emergency'),
);

/** On the dashboard: those that nobody has reviewed yet. */
export const EmergenciesWaiting = lazyPart(async () => (await import('./emergencies-waiting.tsx')).EmergenciesWaiting);

/** Who opened the chats that I write in. */
export const ReadersScreen = lazyPart(
  async () => (await import('./audit-pages.tsx')).ReadersScreen,
  around('/settings/readers'),
);
