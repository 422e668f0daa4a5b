import { formatList } from '@wardline/format/names.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { X } from 'lucide-react';
import { useId } from 'react';
import { useSaveUnit, useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { SettingsForm } from '#/features/census/settings/core/settings-form.tsx';
import { useSettingsForm } from '#/features/census/settings/core/use-settings-form.ts';
import { MemberSearch } from './member-search.tsx';
import type { SettingsUnit } from './unit-labels.ts';

type Person = Pick<SettingsUnit['people'][number], 'id' | 'name'>;

/** Who reports for a unit: members of the facility. */
export function UnitPeople({ unit }: { unit: SettingsUnit }) {
  const { facility, settings } = useSettingsPlace();
  const save = useSaveUnit(unit.unit_id);
  const mayConfigure = settings.may.configure;
  const noteId = useId();
  const form = useSettingsForm({
    id: 'unit-people',
    stored: { people: unit.people.map(({ id, name }): Person => ({ id, name })) },
    names: ['people'],
    async send({ people }) {
      await save({ people: people.map(({ id }) => id) });
      return true;
    },
  });
  const { people } = form.values;
  const unable = unit.people.filter((person) => person.may_report === false);
  const toggle = (person: Person) => {
    const others = people.filter(({ id }) => id !== person.id);
    // Somebody who is taken off and put back stands where they stood.
    const next = others.length < people.length ? others : [...people, person];
    form.set({ people: next.toSorted((a, b) => placeIn(unit, a) - placeIn(unit, b)) });
  };
  return (
    <SettingsForm form={form} saveLabel="Save people" isBare>
      {people.length === 0 ? (
        <p className="t13 muted">No one reports for this unit.</p>
      ) : (
        <ul className="chips" aria-label="Who reports">
          {people.map((person) => (
            <li key={person.id}>
              {!mayConfigure ? (
                person.name
              ) : (
                <Chip size="sm" trailingIcon={X} aria-label={`Remove ${person.name}`} onClick={() => toggle(person)}>
                  {person.name}
                </Chip>
              )}
            </li>
          ))}
        </ul>
      )}
      {unable.length > 0 && (
        <Banner tone="warning" title={`${formatList(unable.map(({ name }) => name))} can’t report.`}>
          They have no role for it, or their account is disabled.
        </Banner>
      )}
      <FieldNote id={noteId} error={form.error.fields.people} />
      {mayConfigure && <MemberSearch facilityId={facility.id} chosen={people} onToggle={toggle} />}
    </SettingsForm>
  );
}

function placeIn({ people }: SettingsUnit, { id }: Person): number {
  const place = people.findIndex((person) => person.id === id);
  return place < 0 ? people.length : place;
}
