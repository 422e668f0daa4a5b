import { formatTimeOfDay } from '@wardline/format/clocks.ts';
import { formatDay } from '@wardline/format/dates.ts';
import type { DateOrder, HourCycle } from '@wardline/format/facility-format.ts';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { useReloadFacilities } from '#/shared/contexts/reload-facilities.ts';
import { useSaveFacility, useSettingsPlace } from './core/settings-context.ts';
import { SettingsForm } from './core/settings-form.tsx';
import { useSettingsForm } from './core/use-settings-form.ts';

const HOURS: ReadonlyArray<{ value: HourCycle; label: string; help: string }> = [
  { value: 'h23', label: '24 hours', help: formatTimeOfDay('14:05', 'h23') },
  { value: 'h12', label: '12 hours', help: formatTimeOfDay('14:05', 'h12') },
];

const ORDERS: ReadonlyArray<{ value: DateOrder; label: string; help: string }> = [
  { value: 'dmy', label: 'Day first', help: formatDay('2026-11-21', 'dmy') },
  { value: 'mdy', label: 'Month first', help: formatDay('2026-11-21', 'mdy') },
];

/** How the facility writes times and dates: on every page, on its sheets and in its mails. */
export function FormatForm() {
  const { settings } = useSettingsPlace();
  const save = useSaveFacility();
  const reloadFacilities = useReloadFacilities();
  const { hour_cycle, date_order } = settings;
  const form = useSettingsForm({
    id: 'formats',
    stored: { hour_cycle, date_order },
    names: ['hour_cycle', 'date_order'],
    async send(values) {
      await save(values);
      // Every page knows it from the list of one's facilities.
      await reloadFacilities();
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save formats">
      <RadioGroup
        label="Time of day"
        value={values.hour_cycle}
        error={error.fields.hour_cycle}
        choices={HOURS}
        onValueChange={(hour_cycle) => set({ hour_cycle })}
      />
      <RadioGroup
        label="Date"
        value={values.date_order}
        error={error.fields.date_order}
        choices={ORDERS}
        onValueChange={(date_order) => set({ date_order })}
      />
    </SettingsForm>
  );
}
