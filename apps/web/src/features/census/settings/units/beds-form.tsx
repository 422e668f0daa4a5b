import type { CensusDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { readNumbers } from '#/features/census/settings/core/read-numbers.ts';
import { useSaveUnit } from '#/features/census/settings/core/settings-context.ts';
import { SettingsForm } from '#/features/census/settings/core/settings-form.tsx';
import { useSettingsForm } from '#/features/census/settings/core/use-settings-form.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { bedsOn, POPULATION_LABELS, type SettingsUnit } from './unit-labels.ts';

const KINDS = [
  { key: 'licensed', label: 'Licensed', help: 'Allowed' },
  { key: 'physical', label: 'Physical', help: 'Set up' },
  { key: 'staffed', label: 'Staffed', help: 'With staff' },
  { key: 'surge', label: 'Surge', help: 'If needed' },
] as const;

type Kind = (typeof KINDS)[number]['key'];

interface BedsFormProps {
  readonly unit: SettingsUnit;
  /** The census date under way. */
  readonly today: CensusDate;
}

/** Beds from a date on; it begins with those that hold now, and the first ones with today. */
export function BedsForm({ unit, today }: BedsFormProps) {
  const save = useSaveUnit(unit.unit_id);
  const population = unit.populations[0] ?? 'adult_and_child';
  const form = useSettingsForm({
    id: 'unit-beds',
    stored: { population, from: firstDate(unit, population, today), reason: '', ...numbersOf(unit, population, today) },
    names: ['beds.population', 'beds.from', ...KINDS.map(({ key }) => `beds.${key}` as const), 'beds.reason'],
    required: { 'beds.from': 'Choose the first date.' },
    async send({ population: of, from, reason, ...texts }) {
      const beds = { population: of, from, reason, ...readBeds(texts) };
      const standing = bedsOn(unit, of, from);
      if (standing && KINDS.every(({ key }) => standing[key] === beds[key])) {
        throw refusal({ 'beds.from': 'The beds are already these from this date on.' });
      }
      await save({ beds });
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save beds" isBare>
      <div className="cs-fields">
        <TextInput
          label={hasBeds(unit, values.population) ? 'Other beds from' : 'Beds from'}
          name="beds.from"
          type="date"
          value={values.from}
          error={error.fields['beds.from']}
          help="Earlier days don’t change."
          onChange={(event) => set({ from: event.target.value })}
        />
        {unit.populations.length > 1 && (
          <Select
            label="Population"
            name="beds.population"
            value={values.population}
            error={error.fields['beds.population']}
            options={unit.populations.map((value) => ({ value, label: POPULATION_LABELS[value] }))}
            onValueChange={(of) => {
              const isChosen = values.from !== firstDate(unit, values.population, today);
              const from = isChosen ? values.from : firstDate(unit, of, today);
              set({ population: of, from, ...numbersOf(unit, of, today) });
            }}
          />
        )}
      </div>
      <div className="cs-kinds">
        {KINDS.map(({ key, label, help }) => (
          <TextInput
            key={key}
            label={label}
            name={`beds.${key}`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            value={values[key]}
            error={error.fields[`beds.${key}`]}
            help={help}
            onChange={(event) => set({ [key]: event.target.value })}
          />
        ))}
      </div>
      <TextInput
        label="Reason"
        name="beds.reason"
        maxLength={200}
        autoComplete="off"
        value={values.reason}
        error={error.fields['beds.reason']}
        onChange={(event) => set({ reason: event.target.value })}
      />
    </SettingsForm>
  );
}

const hasBeds = ({ beds }: SettingsUnit, of: Population) => beds.some(({ population }) => population === of);

/** Which day other beds hold from is for a person to say. */
function firstDate(unit: SettingsUnit, of: Population, today: CensusDate): string {
  return hasBeds(unit, of) ? '' : today;
}

function numbersOf(unit: SettingsUnit, of: Population, date: CensusDate): Record<Kind, string> {
  const row = bedsOn(unit, of, date);
  const text = (kind: Kind) => String(row?.[kind] ?? 0);
  return { licensed: text('licensed'), physical: text('physical'), staffed: text('staffed'), surge: text('surge') };
}

function readBeds(texts: Readonly<Record<Kind, string>>): Record<Kind, number> {
  const bound = (text: string) => ({ text, least: 0, most: 9999 });
  const read = readNumbers({
    'beds.licensed': bound(texts.licensed),
    'beds.physical': bound(texts.physical),
    'beds.staffed': bound(texts.staffed),
    'beds.surge': bound(texts.surge),
  });
  return {
    licensed: read['beds.licensed'],
    physical: read['beds.physical'],
    staffed: read['beds.staffed'],
    surge: read['beds.surge'],
  };
}
