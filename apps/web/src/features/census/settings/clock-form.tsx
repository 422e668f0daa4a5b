import { firstDateOfClock } from '@wardline/census/next-clock.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { isZone } from '@wardline/format/zone.ts';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { shortDay } from '#/features/census/core/period/period.ts';
import { checkZone } from '#/shared/forms/fields/find-zone.ts';
import { ZoneField } from '#/shared/forms/fields/zone-field.tsx';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { readNumbers } from './core/read-numbers.ts';
import { useSaveFacility, useSettingsPlace } from './core/settings-context.ts';
import { SettingsForm } from './core/settings-form.tsx';
import { useSettingsForm } from './core/use-settings-form.ts';

/** When the facility counts. A change counts for days to come; the page says from which on. */
export function ClockForm() {
  const { settings, lacks } = useSettingsPlace();
  const save = useSaveFacility();
  const stored = {
    time_zone: settings.time_zone,
    census_time: settings.census_time,
    grace_minutes: String(settings.grace_minutes),
  };
  const form = useSettingsForm({
    id: 'clock',
    stored,
    names: ['time_zone', 'census_time', 'grace_minutes'],
    required: { time_zone: 'Choose a time zone.', census_time: 'Enter the census hour.' },
    check: ({ time_zone }): { time_zone?: string | undefined } => ({ time_zone: checkZone(time_zone) }),
    async send({ time_zone, census_time, grace_minutes }) {
      const numbers = readNumbers({ grace_minutes: { text: grace_minutes, least: 0, most: 1440 } });
      await save({ time_zone: time_zone.trim(), census_time, ...numbers });
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save census hour">
      <div className="cs-fields">
        <ZoneField
          value={values.time_zone}
          error={error.fields.time_zone}
          onChange={(time_zone) => set({ time_zone })}
        />
        <TextInput
          label="Census hour"
          name="census_time"
          type="time"
          value={values.census_time}
          error={error.fields.census_time}
          help="Midnight is the end of the census date."
          onChange={(event) => set({ census_time: event.target.value })}
        />
        <TextInput
          label="Grace, minutes"
          name="grace_minutes"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={values.grace_minutes}
          error={error.fields.grace_minutes}
          help="After this, a report is late."
          onChange={(event) => set({ grace_minutes: event.target.value })}
        />
      </div>
      {lacks === null && <p className="t13 muted">{fromWhen(settings, form)}</p>}
    </SettingsForm>
  );
}

interface Typed {
  readonly values: Pick<CensusSettings, 'time_zone' | 'census_time'>;
  readonly isChanged: boolean;
}

function fromWhen(settings: CensusSettings, { values, isChanged }: Typed): string {
  const { clock_from: begins, clock_fixed: fixed } = settings;
  const today = dayIn(settings.time_zone, serverNow());
  if (!isChanged && begins > fixed.census_date) {
    return `This clock counts from ${shortDay(begins, today)}; earlier days keep theirs.`;
  }
  const isClock = isZone(values.time_zone.trim()) && values.census_time !== '';
  const first = firstDateOfClock(isClock ? { ...values, time_zone: values.time_zone.trim() } : settings, {
    date: fixed.census_date,
    countedAt: Date.parse(fixed.census_at),
  });
  const day = shortDay(first, today);
  return isChanged
    ? `Counts from ${day}; earlier days keep their clock.`
    : `A change made now counts from ${day}; earlier days keep their clock.`;
}
