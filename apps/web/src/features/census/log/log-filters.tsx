import { actionLabel } from '@wardline/census/log/log-labels.ts';
import { CENSUS_ACTIONS, type LogEntry } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { CalendarDays } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useUnits } from '#/features/census/core/use-units.ts';
import { DateRangeDialog } from '#/shared/log-view/date-range-dialog.tsx';
import { DialogChip, FilterChip } from '#/shared/log-view/filter-chip.tsx';
import { PersonDialog } from '#/shared/log-view/person-dialog.tsx';
import type { LogView } from './log-address.ts';
import { formatRange } from './log-labels.ts';

const TYPING_MS = 300;

const ACTIONS = CENSUS_ACTIONS.map((value) => ({ value, label: actionLabel(value) }));

interface LogFiltersProps {
  readonly facility: Facility;
  readonly view: LogView;
  readonly today: string;
  /** What is shown now: the name of a person who was chosen stands there. */
  readonly entries: readonly LogEntry[];
  readonly onChange: (view: LogView) => void;
}

/** Search and filters over the log, as chips: what is on can be taken off with one press. */
export function LogFilters({ facility, view, today, entries, onChange }: LogFiltersProps) {
  const units = useUnits(facility.id);
  const [dialog, setDialog] = useState<'dates' | 'person' | null>(null);
  const set = (change: Partial<LogView>) => onChange({ ...view, ...change });
  const person = entries.find(({ actor_id }) => actor_id === view.actor)?.actor_name ?? 'One person';
  return (
    <div className="log-filters">
      <Search q={view.q} onSearch={(q) => set({ q })} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a form that is none */}
      <div className="chips one-line" role="group" aria-label="Filters">
        <DialogChip
          label="Census dates"
          icon={CalendarDays}
          text={formatRange(view.from, view.to, today)}
          onOpen={() => setDialog('dates')}
          onClear={() => set({ from: null, to: null })}
        />
        <FilterChip
          label="Unit"
          none="All units"
          value={view.unit}
          choices={(units.data?.data ?? []).map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
          onChoose={(unit) => set({ unit })}
        />
        <DialogChip
          label="Person"
          text={view.actor === null ? null : person}
          onOpen={() => setDialog('person')}
          onClear={() => set({ actor: null })}
        />
        <FilterChip
          label="Action"
          none="All actions"
          value={view.action}
          choices={ACTIONS}
          onChoose={(action) => set({ action })}
        />
        <Chip isPressed={view.isAfterApproval} onClick={() => set({ isAfterApproval: !view.isAfterApproval })}>
          After approval only
        </Chip>
        <Chip isPressed={view.isWithReason} onClick={() => set({ isWithReason: !view.isWithReason })}>
          With reason
        </Chip>
      </div>
      {dialog === 'dates' && (
        <DateRangeDialog
          title="Census dates"
          description="Entries about these dates. What is about no date, such as a view of the log, is left out."
          from={view.from}
          to={view.to}
          today={today}
          onChoose={(from, to) => set({ from, to })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'person' && (
        <PersonDialog
          description="Shows only what this person did. To find someone who has left, search the log."
          facilityId={facility.id}
          onChoose={(actor) => set({ actor })}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** What is typed goes into the address when the typing rests; what the address says otherwise comes back into the box. */
function Search({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  const [asked, setAsked] = useState(q);
  const search = useEffectEvent((text: string) => {
    setAsked(text);
    onSearch(text);
  });
  if (q !== asked) {
    setAsked(q);
    setTyped(q);
  }
  useEffect(() => {
    if (typed === asked) return;
    const timer = setTimeout(() => search(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, asked]);
  return (
    <SearchInput
      className="log-find"
      label="Search the log"
      placeholder="Person, unit, word"
      maxLength={80}
      value={typed}
      onValueChange={setTyped}
    />
  );
}
