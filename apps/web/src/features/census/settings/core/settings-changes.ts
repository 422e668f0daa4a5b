import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { formatTimeOfDay } from '@wardline/format/clocks.ts';
import { formatPercent } from '@wardline/format/numbers.ts';

type Field = Exclude<keyof CensusSettings, 'facility_id' | 'version' | 'clock_from' | 'clock_fixed' | 'may' | 'units'>;

const LABELS: Readonly<Record<Field, string>> = {
  time_zone: 'The time zone',
  census_time: 'The census hour',
  grace_minutes: 'The grace',
  sign_off_time: 'The sign-off time',
  lock_after_days: 'Lock after',
  four_eyes: 'Four eyes',
  denominator: 'The denominator',
  bands: 'The bands',
  split_permissions: 'What needs its own permission',
  boarding_hours: 'Boarding from',
  asks_discharge_days: 'Discharge days asked for',
  log_retention_years: 'How long the log is kept',
  log_head_emails: 'Who gets the head of the log',
  hour_cycle: 'The time of day',
  date_order: 'The date',
};

const FORMATS: Readonly<Record<string | number, string>> = {
  h23: '24 hours',
  h12: '12 hours',
  dmy: 'day first',
  mdy: 'month first',
};

/** What of the settings is not what it was, in sentences. */
export function whatChanged(before: CensusSettings, now: CensusSettings): string[] {
  const fields = (Object.keys(LABELS) as Field[]).filter((field) => !isSame(before[field], now[field]));
  const units = now.units.filter((unit) => {
    const was = before.units.find(({ unit_id }) => unit_id === unit.unit_id);
    return !isSame(was, unit);
  });
  const gone = before.units.filter(({ unit_id }) => now.units.every((unit) => unit.unit_id !== unit_id));
  return [
    ...fields.map((field) => `${LABELS[field]}: ${formatField(field, before)} → ${formatField(field, now)}.`),
    ...(gone.length > 0 ? [`Deleted units: ${gone.map(({ unit_code }) => unit_code).join(', ')}.`] : []),
    ...(units.length > 0 ? [`Changed units: ${units.map(({ unit_code }) => unit_code).join(', ')}.`] : []),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function formatField(field: Field, settings: CensusSettings): string {
  const isTime = field === 'census_time' || field === 'sign_off_time';
  return isTime ? formatTimeOfDay(settings[field], settings.hour_cycle) : formatValue(settings[field]);
}

function formatValue(value: CensusSettings[Field]): string {
  if (value === null) return 'for ever';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return `${value.target}, ${value.high}, ${formatPercent(value.full)}`;
  return FORMATS[value] ?? String(value);
}
