import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Permission } from '@wardline/contract/permissions.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import type { ReactNode } from 'react';
import { meAt } from '#/app/services/person.ts';
import { EmergenciesWaiting } from '#/features/audit/index.ts';
import { useUser } from '#/features/auth/index.ts';
import { CensusOwed, CensusToday } from '#/features/census/index.ts';
import { FacilityChats, NewChatButton, UnreadChats, UrgentWaiting, useHasUrgent } from '#/features/chat/index.ts';
import { ResultsWaiting } from '#/features/examinations/index.ts';
import { useCurrentFacility, useFacilities, usePermittedFacility } from '#/features/facilities/index.ts';
import { HandoversWaiting } from '#/features/handovers/index.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { greetingLine } from './format-greeting.ts';

const everyMs = 15_000;

/** For system administrators only, whatever else they are. */
const SystemNotice = lazyPart<object>(async () => (await import('./dashboard-notices.tsx')).SystemNotice);

/** For who administers a facility. */
const SetUpNotice = lazyPart<{ facility: Facility }>(async () => (await import('./dashboard-notices.tsx')).SetUpNotice);

/** What waits for me: reports owed, unread chats; then the way into each facility, and how full it is. */
export function DashboardScreen() {
  const user = useUser();
  const me = meAt(user);
  const facilities = useFacilities();
  const current = useCurrentFacility();
  const administered = usePermittedFacility('facility.manage');
  const permitted = (permission: Permission) =>
    facilities.filter(({ permissions }) => permissions.includes(permission));
  const isNamed = facilities.length > 1;
  const zone = current?.time_zone ?? 'UTC';
  const now = useNow(everyMs);
  return (
    <>
      <TopBar
        title="Dashboard"
        context={greetingLine(user.name, zone, now)}
        actions={
          <>
            <NewChatButton facilities={facilities} facilityId={current?.id} me={me} look="bar" />
            {useShellActions()}
          </>
        }
      />
      <PageContent className="dash in-order">
        {useHasUrgent() && (
          <PanelBoundary frame={inCard}>
            <UrgentWaiting />
          </PanelBoundary>
        )}
        {permitted('results.assign').map((facility) => (
          <ResultsWaiting key={facility.id} {...{ facility, isNamed }} userId={user.id} />
        ))}
        <PanelBoundary frame={inCard}>
          <HandoversWaiting userId={user.id} />
        </PanelBoundary>
        <PanelBoundary frame={inCard}>
          <CensusOwed facilities={facilities} />
        </PanelBoundary>
        <PanelBoundary frame={inCard}>
          <UnreadChats me={me} facilities={facilities} />
        </PanelBoundary>
        <PanelBoundary frame={inCard}>
          <CensusToday facilities={facilities} currentId={current?.id} />
        </PanelBoundary>
        <PanelBoundary frame={inCard}>
          <FacilityChats facilities={facilities} />
        </PanelBoundary>
        {permitted('audit.view').map((facility) => (
          <EmergenciesWaiting key={facility.id} {...{ facility, isNamed }} />
        ))}
        {administered && <SetUpNotice facility={administered} />}
        {user.is_operator && <SystemNotice />}
      </PageContent>
    </>
  );
}

function inCard(failure: ReactNode): ReactNode {
  return <Card>{failure}</Card>;
}
