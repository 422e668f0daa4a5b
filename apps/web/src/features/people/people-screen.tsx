import './people.css';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { CriticalTimes } from './critical-times.tsx';
import { OnCallList } from './on-call-list.tsx';
import { PeopleFrame, usePeopleView } from './people-frame.tsx';
import { PeopleList } from './people-list.tsx';
import type { PersonShown } from './person-name.tsx';
import { useOnCallChanges } from './use-on-call.ts';

export interface PeopleScreenProps {
  /** The one it begins with. */
  readonly facility: Facility;
  readonly facilities: readonly Facility[];
  readonly myId: string;
  /** Where a press on a name leads: the chat that one has with them. */
  readonly hrefOf: (facilityId: string, userId: string) => string;
  readonly roleHrefOf: (facilityId: string, roleId: string) => string;
  readonly onOpen: (facilityId: string, person: PersonShown) => void;
}

const Interruptions = lazyPart(async () => (await import('./interruptions.tsx')).Interruptions, {
  whileLoading: () => <Skeleton shape="rows" count={5} label="Loading the interruptions" />,
});
const RoleDialog = lazyPart(async () => (await import('./role-dialog.tsx')).RoleDialog, { onMissing: closeMissing });

/** The people of one of my facilities and who is on call there, found by any word that is said of them; how long critical results took. */
export function PeopleScreen({ facility: first, facilities, myId, hrefOf, roleHrefOf, onOpen }: PeopleScreenProps) {
  const isOnline = useOnline();
  const [facilityId, setFacilityId] = useState(first.id);
  const [search, setSearch] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const q = useDeferredValue(search.trim());
  const facility = facilities.find(({ id }) => id === facilityId) ?? first;
  const view = usePeopleView(facility);
  useOnCallChanges(facility.id);
  const names = { facility, myId, hrefOf, roleHrefOf, onOpen };
  const mayManage = view === 'on-call' && facility.permissions.includes('on_call.manage');
  return (
    <PeopleFrame
      facility={facility}
      actions={
        mayManage && (
          <Button icon={Plus} disabled={!isOnline} onClick={() => setIsAdding(true)}>
            New role
          </Button>
        )
      }
    >
      <div className="people-find">
        {(view === null || view === 'on-call') && (
          <SearchInput
            label={view === null ? 'Search by name, title, role or unit' : 'Search by role, unit or name'}
            value={search}
            onValueChange={setSearch}
            maxLength={80}
          />
        )}
        {facilities.length > 1 && (
          <Select
            label="Facility"
            isLabelHidden
            inputSize="sm"
            value={facility.id}
            onValueChange={setFacilityId}
            options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </div>
      {!isOnline && <Banner tone="warning">You’re offline. This may be out of date.</Banner>}
      {view === null && <PeopleList key={facility.id} {...names} q={q} />}
      {view === 'on-call' && <OnCallList {...names} q={q} />}
      {view === 'critical' && <CriticalTimes facility={facility} />}
      {view === 'interruptions' && <Interruptions key={facility.id} facility={facility} />}
      {isAdding && <RoleDialog facility={facility} existing={null} onClose={() => setIsAdding(false)} />}
    </PeopleFrame>
  );
}
