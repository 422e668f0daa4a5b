import { parseCount } from '@wardline/census/balance.ts';
import type { Bands } from '@wardline/contract/census/facility.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { HeatLegend } from '@wardline/ui/chart/heat-legend.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { refusal } from '#/shared/errors/refusal.ts';
import { readNumbers } from './core/read-numbers.ts';
import { useSaveFacility, useSettingsPlace } from './core/settings-context.ts';
import { SettingsForm } from './core/settings-form.tsx';
import { useSettingsForm } from './core/use-settings-form.ts';

const DENOMINATORS: ReadonlyArray<{ value: CensusSettings['denominator']; label: string; help: string }> = [
  { value: 'staffed', label: 'Staffed beds', help: 'Beds with staff.' },
  { value: 'physical', label: 'Physical beds', help: 'Beds set up, staffed or not.' },
  { value: 'licensed', label: 'Licensed beds', help: 'Beds the facility is licensed for.' },
];

const BANDS = [
  { key: 'target', label: 'Target, %', help: 'The colours change at this value.' },
  { key: 'high', label: 'High, %', help: 'Raises an alert.' },
  { key: 'full', label: 'Full, %', help: 'The darkest colour.' },
] as const;

/** Of which beds occupancy is a share, how full is too full, from when on a patient is boarding, and whether stays are told. */
export function OccupancyForm() {
  const { settings } = useSettingsPlace();
  const save = useSaveFacility();
  const { bands } = settings;
  const stored = {
    denominator: settings.denominator,
    target: String(bands.target),
    high: String(bands.high),
    full: String(bands.full),
    boarding_hours: String(settings.boarding_hours),
    asks_discharge_days: settings.asks_discharge_days,
  };
  const form = useSettingsForm({
    id: 'occupancy',
    stored,
    names: ['denominator', 'bands.target', 'bands.high', 'bands.full', 'boarding_hours', 'asks_discharge_days'],
    async send({ denominator, boarding_hours: hours, asks_discharge_days, ...typed }) {
      const percent = (text: string) => ({ text, least: 1, most: 200 });
      const numbers = readNumbers({
        'bands.target': percent(typed.target),
        'bands.high': percent(typed.high),
        'bands.full': percent(typed.full),
        boarding_hours: { text: hours, least: 0, most: 48 },
      });
      const { boarding_hours } = numbers;
      const next = { target: numbers['bands.target'], high: numbers['bands.high'], full: numbers['bands.full'] };
      mustRise(next);
      await save({ denominator, bands: next, boarding_hours, asks_discharge_days });
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save occupancy">
      <RadioGroup
        label="Occupancy is a share of"
        value={values.denominator}
        error={error.fields.denominator}
        choices={DENOMINATORS}
        onValueChange={(denominator) => set({ denominator })}
      />
      <div className="cs-fields">
        {BANDS.map(({ key, label, help }) => (
          <TextInput
            key={key}
            label={label}
            name={`bands.${key}`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            value={values[key]}
            error={error.fields[`bands.${key}`]}
            help={help}
            onChange={(event) => set({ [key]: event.target.value })}
          />
        ))}
      </div>
      <HeatLegend bands={bandsOf(values) ?? bands} ofWhat={`${values.denominator} beds`} />
      <TextInput
        className="cs-short"
        label="Boarding from, hours"
        name="boarding_hours"
        inputMode="numeric"
        autoComplete="off"
        maxLength={2}
        value={values.boarding_hours}
        error={error.fields.boarding_hours}
        help="Patients who wait this long for a bed are boarding."
        onChange={(event) => set({ boarding_hours: event.target.value })}
      />
      <Checkbox
        label="Units report discharge days"
        name="asks_discharge_days"
        checked={values.asks_discharge_days}
        error={error.fields.asks_discharge_days}
        help="How long those discharged or died had stayed, added. Without it the length of stay is estimated."
        onChange={(event) => set({ asks_discharge_days: event.target.checked })}
      />
    </SettingsForm>
  );
}

function mustRise({ target, high, full }: Bands): void {
  if (high < target) throw refusal({ 'bands.high': `At least the target, ${target}.` });
  if (full < high) throw refusal({ 'bands.full': `At least high, ${high}.` });
}

/** What is typed as a scale, once it is one. */
function bandsOf(typed: Readonly<Record<keyof Bands, string>>): Bands | null {
  const [target, high, full] = [typed.target, typed.high, typed.full].map((text) => parseCount(text) ?? 0);
  if (!target || !high || !full || high < target || full < high || full > 200) return null;
  return { target, high, full };
}
