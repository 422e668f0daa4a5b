import { COUNT_FIELDS, type CountField, POPULATIONS, type Population } from '@wardline/contract/census/census.ts';
import type { LogEntry } from '@wardline/contract/census/logs.ts';
import { labelOf } from '../rules.ts';

/** A field that an entry of the log says was changed, in words. */
export interface LogChange {
  readonly key: string;
  readonly label: string;
  /** '–' where nothing was given. */
  readonly before: string;
  readonly after: string;
  /** Follows from other fields, or is bookkeeping: nobody typed it. */
  readonly isComputed: boolean;
}

const COMPUTED: Readonly<Record<string, string>> = {
  closing: 'Closing, computed',
  present: 'Present, computed',
  service_days: 'Service days, computed',
  opening: 'Opening',
  opening_from: 'Opening from',
  status: 'Status',
  version: 'Version',
  is_on_time: 'On time',
  submitted_at: 'Submitted at',
  submitted_by: 'Submitted by',
  reviewed_at: 'Reviewed at',
  approved_at: 'Approved at',
  approved_by: 'Approved by',
  restatement_no: 'Restatement',
  source: 'Source',
  last_reason: 'Reason',
  confirmed: 'Asked and confirmed',
  variance_for: 'Reason is for a difference of',
  month: 'Month',
  figures_hash: 'SHA-256 of the signed figures',
};

const GIVEN: Readonly<Record<string, string>> = {
  seed: 'In the unit before',
  beds_staffed: 'Staffed beds',
  beds_blocked: 'Blocked beds',
  variance_reason: 'Why the head count differs',
  capacity_reason: 'Why over capacity',
  rn_hours: 'RN hours',
  other_hours: 'Other hours',
  note: 'Note',
  transfers: 'Transfers by unit',
  feed_live_from: 'Patient system counts from',
  feed_differences: 'Differences from the reports',
  feed_patients: 'Patients in by the patient system',
};

const ORDER = ['opening', ...COUNT_FIELDS, ...Object.keys(GIVEN), ...Object.keys(COMPUTED)];

/** The fields of an entry before and after, those of the report first and in its order, what is computed last. */
export function changesOf({ before, after }: Pick<LogEntry, 'before' | 'after'>): LogChange[] {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys
    .map((key) => ({ key, was: formatField(key, before?.[key]), is: formatField(key, after?.[key]) }))
    .filter(({ was, is }) => was !== is)
    .map(({ key, was, is }) => ({
      key,
      label: fieldLabel(key),
      before: was,
      after: is,
      isComputed: Object.hasOwn(COMPUTED, key),
    }))
    .sort((a, b) => placeOf(a.key) - placeOf(b.key));
}

const POPULATION_LABELS: Readonly<Record<Population, string>> = {
  adult_and_child: 'adults and children',
  newborn: 'newborns',
};

/** A code of ours, such as 'long_missing'. */
const CODE = /^[a-z]+(_[a-z]+)+$/;

function placeOf(key: string): number {
  const place = ORDER.indexOf(key);
  return place < 0 ? ORDER.length : place;
}

function fieldLabel(key: string): string {
  if ((COUNT_FIELDS as readonly string[]).includes(key)) return labelOf(key as CountField);
  const known = GIVEN[key] ?? COMPUTED[key];
  if (known !== undefined) return known;
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Populations as the pages call them; of everything else what its value says. */
function formatField(key: string, value: unknown): string {
  if (key !== 'population' && key !== 'populations') return formatValue(value);
  if (Array.isArray(value) && value.length > 0) return value.map((one) => formatField(key, one)).join(', ');
  return POPULATIONS.some((known) => known === value) ? POPULATION_LABELS[value as Population] : formatValue(value);
}

function isPerson(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'id,name';
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value).replace('-', '−');
  if (typeof value === 'string') return CODE.test(value) ? value.replaceAll('_', ' ') : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ');
  if (isPerson(value)) return value.name;
  const parts = Object.entries(value as object).map(
    ([key, inner]) => `${key.replaceAll('_', ' ')} ${formatField(key, inner)}`,
  );
  return parts.join(' ');
}
