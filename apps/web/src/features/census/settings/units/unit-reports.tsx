import { Population } from '@wardline/contract/census/census.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useId } from 'react';
import { useSaveUnit } from '#/features/census/settings/core/settings-context.ts';
import { SettingsForm } from '#/features/census/settings/core/settings-form.tsx';
import { useSettingsForm } from '#/features/census/settings/core/use-settings-form.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { POPULATION_LABELS, type SettingsUnit } from './unit-labels.ts';

const SAFR_GROUPS = [
  'adult_icu',
  'adult_pcu',
  'adult_med_surg',
  'adult_observation',
  'peds',
  'peds_icu',
  'obstetric',
  'nursery',
  'nicu',
  'ed_admitted',
];

/** Which populations a unit reports, where it counts, under which names it is reported outside, and from when to when. */
export function UnitReports({ unit }: { unit: SettingsUnit }) {
  const { unit_id, counts_in_census, counts_in_occupancy } = unit;
  const save = useSaveUnit(unit_id);
  const form = useSettingsForm({
    id: 'unit-reports',
    stored: {
      populations: unit.populations.toSorted(),
      counts_in_census,
      counts_in_occupancy,
      hsloc: unit.hsloc ?? '',
      safr_group: unit.safr_group ?? '',
      active_from: unit.active_from ?? '',
      active_to: unit.active_to ?? '',
    },
    names: [
      'populations',
      'counts_in_census',
      'counts_in_occupancy',
      'hsloc',
      'safr_group',
      'active_from',
      'active_to',
    ],
    async send({ hsloc, safr_group, active_from, active_to, ...rest }) {
      if (rest.populations.length === 0) throw refusal({ populations: 'Choose at least one population.' });
      const given = (text: string) => text.trim() || null;
      const texts = { hsloc: given(hsloc), safr_group: given(safr_group) };
      const dates = { active_from: given(active_from), active_to: given(active_to) };
      await save({ ...rest, ...texts, ...dates });
      return true;
    },
  });
  return (
    <SettingsForm form={form} saveLabel="Save reports" isBare>
      <Populations
        chosen={form.values.populations}
        error={form.error.fields.populations}
        onChange={(populations) => form.set({ populations })}
      />
      <div className="stack stack-1">
        <Checkbox
          label="Counts in the census"
          name="counts_in_census"
          checked={form.values.counts_in_census}
          error={form.error.fields.counts_in_census}
          onChange={(event) => form.set({ counts_in_census: event.target.checked })}
        />
        <Checkbox
          label="Counts in occupancy"
          name="counts_in_occupancy"
          checked={form.values.counts_in_occupancy}
          error={form.error.fields.counts_in_occupancy}
          onChange={(event) => form.set({ counts_in_occupancy: event.target.checked })}
        />
      </div>
      <Names form={form} />
    </SettingsForm>
  );
}

type Text = 'hsloc' | 'safr_group' | 'active_from' | 'active_to';

interface NamesProps {
  readonly form: {
    readonly values: Readonly<Record<Text, string>>;
    readonly error: { readonly fields: Partial<Readonly<Record<Text, string>>> };
    readonly set: (change: Partial<Record<Text, string>>) => void;
  };
}

function Names({ form }: NamesProps) {
  const listId = useId();
  const { values, error, set } = form;
  const field = (name: Text) => ({
    name,
    value: values[name],
    error: error.fields[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <div className="cs-fields">
      <TextInput label="First day" type="date" help="Leave empty if there is none." {...field('active_from')} />
      <TextInput label="Last day" type="date" help="Leave empty if there is none." {...field('active_to')} />
      <TextInput
        label="HSLOC code"
        maxLength={20}
        autoComplete="off"
        spellCheck={false}
        help="Of the NHSN location."
        {...field('hsloc')}
      />
      <TextInput
        label="SAFR group"
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        list={listId}
        help="Whose beds it adds to."
        {...field('safr_group')}
      />
      <datalist id={listId}>
        {SAFR_GROUPS.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
    </div>
  );
}

interface PopulationsProps {
  readonly chosen: readonly Population[];
  readonly error: string | undefined;
  readonly onChange: (chosen: Population[]) => void;
}

function Populations({ chosen, error, onChange }: PopulationsProps) {
  const noteId = useId();
  return (
    <fieldset className="stack stack-1" aria-describedby={noteId}>
      <legend className="label">Reports of</legend>
      {Population.options.map((one) => (
        <Checkbox
          key={one}
          name="populations"
          label={POPULATION_LABELS[one]}
          checked={chosen.includes(one)}
          onChange={(event) =>
            onChange(
              Population.options.filter((other) => (other === one ? event.target.checked : chosen.includes(other))),
            )
          }
        />
      ))}
      <FieldNote id={noteId} error={error} help="A population that is added is due from the current census date on." />
    </fieldset>
  );
}
