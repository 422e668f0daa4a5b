import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { FacilityRow } from './facility-row.tsx';

/** My facilities with what is unread in each. */
export function ChatFacilitiesScreen({ facilities }: { facilities: readonly Facility[] }) {
  const list = useChats();
  return (
    <>
      <TopBar title="Chat" context="Choose a facility" actions={useShellActions()} />
      <PageContent>
        <Card isList>
          {facilities.map((facility) => (
            <FacilityRow key={facility.id} facility={facility} list={list} />
          ))}
        </Card>
      </PageContent>
    </>
  );
}
