import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FileDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { HoldRow } from '#/shared/records/hold-row.tsx';
import { useHolds } from '#/shared/records/record-queries.ts';

const PatientRecordDialog = lazyPart(async () => (await import('./patient-record-dialog.tsx')).PatientRecordDialog, {
  onMissing: closeMissing,
});
const NewHoldDialog = lazyPart(async () => (await import('./new-hold-dialog.tsx')).NewHoldDialog, {
  onMissing: closeMissing,
});

/** What must not be deleted, and why; and what of a patient is taken to the record elsewhere. */
export function HoldsCard({ facility }: { readonly facility: Facility }) {
  const [open, setOpen] = useState<'hold' | 'export' | null>(null);
  const [state, setState] = useState<'open' | 'all'>('open');
  return (
    <Card isList>
      <div className="rec-head row wrap">
        <Button icon={Plus} onClick={() => setOpen('hold')}>
          New legal hold
        </Button>
        <Button icon={FileDown} variant="outline" color="neutral" onClick={() => setOpen('export')}>
          Export a patient’s chats
        </Button>
        <Checkbox
          label="Show ended holds"
          checked={state === 'all'}
          onChange={({ target }) => setState(target.checked ? 'all' : 'open')}
        />
      </div>
      <Holds {...{ facility, state }} />
      {open === 'hold' && <NewHoldDialog facility={facility} onClose={() => setOpen(null)} />}
      {open === 'export' && <PatientRecordDialog facility={facility} onClose={() => setOpen(null)} />}
    </Card>
  );
}

interface HoldsProps {
  readonly facility: Facility;
  readonly state: 'open' | 'all';
}

function Holds({ facility, state }: HoldsProps) {
  const holds = useHolds(facility.id, state);
  if (holds.data === undefined) {
    if (!holds.isError) return <Skeleton count={2} label="Loading the legal holds" />;
    return (
      <ErrorState
        level={3}
        title="The legal holds did not load"
        message={formatFailure(holds.error)}
        onRetry={() => void holds.refetch()}
      />
    );
  }
  const held = holds.data.pages.flatMap((page) => page.data);
  if (held.length === 0) {
    return (
      <EmptyState level={3} title="No legal holds">
        A hold keeps a patient’s chats, a chat or all that a person wrote from being deleted. A chat is held from its
        menu.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="list" aria-label="Legal holds">
        {held.map((hold) => (
          <li key={hold.id}>
            <HoldRow facility={facility} hold={hold} />
          </li>
        ))}
      </ul>
      <ShowMore list={holds} />
    </>
  );
}
