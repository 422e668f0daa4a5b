import type { AuditEntry } from '@wardline/contract/audit.ts';
import { AUDIT_KINDS } from '@wardline/contract/audit-actions.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { DateRangeDialog } from '#/shared/log-view/date-range-dialog.tsx';
import { DialogChip, FilterChip } from '#/shared/log-view/filter-chip.tsx';
import { PersonDialog } from '#/shared/log-view/person-dialog.tsx';
import { formatDay } from '#/shared/time/zoned-time.ts';
import type { AuditView } from './audit-address.ts';
import { formatChat, KIND_LABELS } from './audit-labels.ts';
import { PatientDialog } from './patient-dialog.tsx';

const KINDS = AUDIT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

interface AuditFiltersProps {
  readonly facility: Facility;
  readonly view: AuditView;
  readonly today: string;
  /** What is shown now: the names of a person and a patient who were chosen stand there. */
  readonly entries: readonly AuditEntry[];
  readonly onChange: (view: AuditView) => void;
}

/** Filters over the audit log, as chips: what is on can be taken off with one press. */
export function AuditFilters({ facility, view, today, entries, onChange }: AuditFiltersProps) {
  const [dialog, setDialog] = useState<'dates' | 'person' | 'patient' | null>(null);
  const set = (change: Partial<AuditView>) => onChange({ ...view, ...change });
  const close = () => setDialog(null);
  const person = entries.find(({ actor }) => actor?.id === view.person)?.actor?.name ?? 'One person';
  const chat = entries.find((entry) => entry.chat?.id === view.chat)?.chat;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a form that is none
    <div className="chips one-line" role="group" aria-label="Filters">
      <DialogChip
        label="Patient or chat"
        text={view.chat === null ? null : chat ? formatChat(chat) : 'One patient'}
        onOpen={() => setDialog('patient')}
        onClear={() => set({ chat: null })}
      />
      <DialogChip
        label="Person"
        text={view.person === null ? null : person}
        onOpen={() => setDialog('person')}
        onClear={() => set({ person: null })}
      />
      <FilterChip label="Kind" none="All kinds" value={view.kind} choices={KINDS} onChoose={(kind) => set({ kind })} />
      <DialogChip
        label="Dates"
        icon={CalendarDays}
        text={formatRange(view, today)}
        onOpen={() => setDialog('dates')}
        onClear={() => set({ from: null, to: null })}
      />
      <Chip isPressed={view.isRefused} onClick={() => set({ isRefused: !view.isRefused })}>
        Refused only
      </Chip>
      {dialog === 'patient' && (
        <PatientDialog facilityId={facility.id} onChoose={(id) => set({ chat: id, kind: 'read' })} onClose={close} />
      )}
      {dialog === 'person' && (
        <PersonDialog
          facilityId={facility.id}
          description="Shows only what this person did and read."
          onChoose={(id) => set({ person: id })}
          onClose={close}
        />
      )}
      {dialog === 'dates' && (
        <DateRangeDialog
          title="Dates"
          description="Entries of these days, both included."
          from={view.from}
          to={view.to}
          today={today}
          onChoose={(from, to) => set({ from, to })}
          onClose={close}
        />
      )}
    </div>
  );
}

function formatRange({ from, to }: AuditView, today: string): string | null {
  if (from !== null && to !== null) {
    return from === to ? formatDay(from, today) : `${formatDay(from, today)} to ${formatDay(to, today)}`;
  }
  if (from !== null) return `From ${formatDay(from, today)}`;
  return to === null ? null : `To ${formatDay(to, today)}`;
}
