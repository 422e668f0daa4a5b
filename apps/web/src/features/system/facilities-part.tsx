import { reopenFacility, type SystemFacility } from '@wardline/contract/facilities/system-facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { Loaded } from './loaded.tsx';
import { useAllFacilities, useRefreshSystem } from './use-system.ts';

const AddFacilityDialog = lazyPart(async () => (await import('./facility-dialogs.tsx')).AddFacilityDialog, {
  onMissing: closeMissing,
});
const RenameDialog = lazyPart(async () => (await import('./facility-dialogs.tsx')).RenameDialog, {
  onMissing: closeMissing,
});
const InviteDialog = lazyPart(async () => (await import('./facility-dialogs.tsx')).InviteAdministratorDialog, {
  onMissing: closeMissing,
});

const CloseFacilityDialog = lazyPart(async () => (await import('./facility-dialogs.tsx')).CloseFacilityDialog, {
  onMissing: closeMissing,
});

type Open =
  | { readonly what: 'add' }
  | { readonly what: 'rename' | 'invite' | 'close'; readonly facility: SystemFacility };

/** The facilities of the installation: what they are called, and whether somebody administers them. */
export function FacilitiesPart() {
  const facilities = useAllFacilities();
  const [open, setOpen] = useState<Open | null>(null);
  const [done, setDone] = useState('');
  const close = () => setOpen(null);
  const finished = (text: string) => {
    setDone(text);
    close();
  };
  return (
    <Card isList>
      <div className="sys-head row wrap">
        <Button icon={Plus} onClick={() => setOpen({ what: 'add' })}>
          Add a facility
        </Button>
        <span className="help" role="status">
          {done}
        </span>
      </div>
      <Loaded of={facilities} failed="The facilities did not load" loading="Loading the facilities">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.data);
          if (rows.length === 0) return <EmptyState level={3} title="No facilities yet" />;
          return (
            <>
              <ul className="list" aria-label="Facilities">
                {rows.map((facility) => (
                  <li key={facility.id}>
                    <FacilityRow
                      facility={facility}
                      onRename={() => setOpen({ what: 'rename', facility })}
                      onInvite={() => setOpen({ what: 'invite', facility })}
                      onClose={() => setOpen({ what: 'close', facility })}
                      onReopened={() => setDone(`${facility.name} is open again.`)}
                    />
                  </li>
                ))}
              </ul>
              <ShowMore list={facilities} />
            </>
          );
        }}
      </Loaded>
      {open?.what === 'add' && <AddFacilityDialog onDone={finished} onClose={close} />}
      {open?.what === 'rename' && <RenameDialog facility={open.facility} onDone={finished} onClose={close} />}
      {open?.what === 'close' && <CloseFacilityDialog facility={open.facility} onDone={finished} onClose={close} />}
      {open?.what === 'invite' && <InviteDialog facility={open.facility} onDone={finished} onClose={close} />}
    </Card>
  );
}

interface FacilityRowProps {
  readonly facility: SystemFacility;
  readonly onRename: () => void;
  readonly onInvite: () => void;
  readonly onClose: () => void;
  readonly onReopened: () => void;
}

function FacilityRow({ facility, onRename, onInvite, onClose, onReopened }: FacilityRowProps) {
  const { name, code, time_zone, people_count, unit_count, administrator_count } = facility;
  const isClosed = facility.deactivated_at !== null;
  const reopen = useReopen(facility, onReopened);
  const details = [code, counted(people_count, 'person', 'people'), counted(unit_count, 'unit'), time_zone];
  const small = { variant: 'outline', color: 'neutral', size: 'sm' } as const;
  return (
    <SettingsRow
      title={name}
      mark={
        isClosed ? (
          <Badge tone="warning">Closed</Badge>
        ) : (
          administrator_count === 0 && <Badge tone="error">No administrator</Badge>
        )
      }
      text={details.join(' · ')}
    >
      <span className="row wrap">
        {administrator_count === 0 && !isClosed && (
          <Button {...small} label={`Invite an administrator of ${name}`} onClick={onInvite}>
            Invite
          </Button>
        )}
        <Button {...small} label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        {isClosed ? (
          <Button {...small} label={`Open ${name} again`} onClick={() => void reopen()}>
            Open again
          </Button>
        ) : (
          <Button {...small} label={`Close ${name}`} onClick={onClose}>
            Close
          </Button>
        )}
      </span>
    </SettingsRow>
  );
}

/** Asks first: everybody who belongs to it is let in again. */
function useReopen({ id, name }: SystemFacility, onReopened: () => void) {
  const call = useConfirmedCall();
  const refresh = useRefreshSystem();
  const confirm = useConfirm();
  return () =>
    confirm({
      title: `Open ${name} again?`,
      description: 'Everybody who belongs to it can read and write in it at once.',
      confirmLabel: 'Open again',
      async onConfirm() {
        await call(reopenFacility, { params: { facility: id } });
        await refresh();
        onReopened();
      },
    });
}
