import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useId } from 'react';
import { useSaveUnit } from '#/features/census/settings/core/settings-context.ts';
import { SettingsForm } from '#/features/census/settings/core/settings-form.tsx';
import { useSettingsForm } from '#/features/census/settings/core/use-settings-form.ts';
import type { SettingsUnit } from './unit-labels.ts';

const NAMES = ['unit_code', 'unit_name', 'unit_kind'] as const;
type UnitNames = Readonly<Record<(typeof NAMES)[number], string>>;

export const UNIT_NAMES_NEEDED = {
  unit_code: 'Enter the code.',
  unit_name: 'Enter the name.',
  unit_kind: 'Say what kind of unit it is.',
} as const;

/** What a unit is called. */
export function UnitNamesForm({ unit }: { unit: SettingsUnit }) {
  const save = useSaveUnit(unit.unit_id);
  const { unit_code, unit_name, unit_kind = '' } = unit;
  const form = useSettingsForm({
    id: 'unit-names',
    stored: { unit_code, unit_name, unit_kind },
    names: NAMES,
    required: UNIT_NAMES_NEEDED,
    async send(values) {
      await save(values);
      return true;
    },
  });
  return (
    <SettingsForm form={form} saveLabel="Save name" isBare>
      <UnitNameFields values={form.values} errors={form.error.fields} onChange={form.set} />
    </SettingsForm>
  );
}

interface UnitNameFieldsProps {
  readonly values: UnitNames;
  readonly errors: Partial<UnitNames>;
  readonly onChange: (change: Partial<UnitNames>) => void;
}

const KINDS = [
  'Ward',
  'Medical',
  'Surgical',
  'Intensive care',
  'Maternity',
  'Neonatal',
  'Paediatric',
  'Emergency',
  'Day',
];

export function UnitNameFields({ values, errors, onChange }: UnitNameFieldsProps) {
  const kindsId = useId();
  return (
    <div className="cs-fields">
      <TextInput
        label="Code"
        name="unit_code"
        autoComplete="off"
        maxLength={12}
        value={values.unit_code}
        error={errors.unit_code}
        help="Short, as on the door: MED 3A."
        onChange={(event) => onChange({ unit_code: event.target.value })}
      />
      <TextInput
        label="Name"
        name="unit_name"
        autoComplete="off"
        maxLength={80}
        value={values.unit_name}
        error={errors.unit_name}
        onChange={(event) => onChange({ unit_name: event.target.value })}
      />
      <TextInput
        label="Kind"
        name="unit_kind"
        list={kindsId}
        autoComplete="off"
        maxLength={40}
        value={values.unit_kind}
        error={errors.unit_kind}
        onChange={(event) => onChange({ unit_kind: event.target.value })}
      />
      <datalist id={kindsId}>
        {KINDS.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
    </div>
  );
}
