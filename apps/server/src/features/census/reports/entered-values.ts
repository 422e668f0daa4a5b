import {
  askedReasons,
  differenceOf,
  draftFindings,
  partFindings,
  type ReportInput,
  submitFindings,
} from '@wardline/census/rules.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import type { UnitDayEntry } from '@wardline/contract/census/unit.ts';
import { formatCount } from '@wardline/format/counts.ts';
import type { Partner, SaidTransfer } from './unit-day/transfer-queries.ts';
import type { StoredEntry } from './unit-day/unit-day-queries.ts';
import { bedsOf, type UnitDayState } from './unit-day/unit-day-state.ts';

/** What a person's entry makes of the report. */
export interface Entered {
  readonly values: StoredEntry;
  readonly transfers: readonly SaidTransfer[];
  readonly findings: readonly Finding[];
}

type Entry = Pick<
  UnitDayEntry,
  | 'counts'
  | 'seed'
  | 'closing'
  | 'transfers'
  | 'beds_staffed'
  | 'beds_blocked'
  | 'variance_reason'
  | 'variance_for'
  | 'capacity_reason'
  | 'note'
> & { readonly source?: 'import' };

/**
 * The columns that the entry comes to, and every rule that it breaks. What it does not mention stays as it is. The opening is
 * the chain's; only a unit's first report says its own (CEN-R2).
 */
export function enteredValues(
  unitDay: UnitDayState,
  entry: Entry,
  { partners, isComplete }: { partners: readonly Partner[]; isComplete: boolean },
): Entered {
  const { report, link, place, key, complement } = unitDay;
  const stored = bedsOf(unitDay);
  const staffed = entry.beds_staffed === undefined ? stored.staffed : (entry.beds_staffed ?? complement.staffed);
  const blocked = entry.beds_blocked === undefined ? stored.blocked : (entry.beds_blocked ?? 0);
  const seed = entry.seed === undefined ? (report?.opening_from === null ? report.opening : null) : entry.seed;
  const opening = link?.closing ?? seed;
  const beds = { ...stored, staffed, blocked };
  // A reason for what does not differ any more would stand beside numbers that agree.
  const asked = askedReasons({ opening, counts: entry.counts, beds });
  const variance_reason = asked.variance_reason === false ? null : text(entry.variance_reason, report?.variance_reason);
  const values: StoredEntry = {
    ...entry.counts,
    opening,
    opening_from: link?.census_date ?? null,
    beds_licensed: stored.licensed,
    beds_physical: stored.physical,
    beds_surge: stored.surge,
    beds_staffed: staffed,
    beds_blocked: blocked,
    variance_reason,
    variance_for: varianceFor(variance_reason, entry, {
      report,
      difference: differenceOf({ opening, counts: entry.counts }),
    }),
    capacity_reason: asked.capacity_reason === false ? null : text(entry.capacity_reason, report?.capacity_reason),
    note: text(entry.note, report?.note),
    source: entry.source ?? report?.source ?? 'manual',
  };
  const rules: ReportInput = {
    unit_id: place.unit_id,
    population: key.population,
    opening: link ? (entry.seed ?? link.closing) : seed,
    previous_closing: link?.closing ?? null,
    counts: entry.counts,
    typed_closing: entry.closing,
    transfers: entry.transfers,
    beds,
    variance_reason: values.variance_reason,
    variance_for: values.variance_for,
    capacity_reason: values.capacity_reason,
    is_last_day: place.is_last_day,
  };
  return {
    values,
    transfers: entry.transfers.flatMap(({ unit_id, ...said }) => {
      const partner = partners.find((candidate) => candidate.unit_id === unit_id);
      return partner ? [{ ...said, partner_no: partner.unit_no, unit_code: partner.unit_code }] : [];
    }),
    findings: onceEach([
      ...(isComplete ? submitFindings(rules) : draftFindings(rules)),
      ...partnerFindings(entry.transfers, partners, unitDay),
      ...sizeFindings(values),
    ]),
  };
}

/** Sentences that are not mentioned stay; blank ones say nothing. */
function text(given: string | null | undefined, stored: string | null | undefined): string | null {
  if (given === undefined) return stored ?? null;
  return given === '' ? null : given;
}

/** The difference that the reason is for: as the entry says; else new words are for its numbers, and old ones for theirs. */
function varianceFor(
  reason: string | null,
  entry: Entry,
  { report, difference }: { report: UnitDayState['report']; difference: number | null },
): number | null {
  if (reason === null) return null;
  return entry.variance_for ?? (reason === report?.variance_reason ? report.variance_for : null) ?? difference;
}

/** A partner is another unit of the facility that is open on the date and reports the same population: else the two never agree. */
function partnerFindings(
  transfers: Entry['transfers'],
  partners: readonly Partner[],
  { key, place }: UnitDayState,
): Finding[] {
  const others = transfers.filter(({ unit_id }) => unit_id !== place.unit_id);
  return others.flatMap(({ unit_id, direction }): Finding[] => {
    const partner = partners.find((candidate) => candidate.unit_id === unit_id);
    if (partner?.populations.includes(key.population)) return [];
    const said = partner ? `${partner.unit_code} does not report on this date.` : 'This is not a unit of the facility.';
    return [{ code: 'UNIT_INACTIVE', field: direction === 'in' ? 'transfers_in' : 'transfers_out', message: said }];
  });
}

function onceEach(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ code, field }, index) => findings.findIndex((other) => other.code === code && other.field === field) === index,
  );
}

const MOST = 9999;

/** What the database has no room for: it counts to 9999, and looks at what is given before all of it is. */
function sizeFindings(values: StoredEntry): Finding[] {
  const { opening, admissions, births, transfers_in, discharges, deaths, transfers_out } = values;
  const came = [opening, admissions, births, transfers_in].reduce<number>((sum, count) => sum + (count ?? 0), 0);
  if (came > MOST) return [{ code: 'INVALID_COUNT', field: 'closing', message: `${came} patients is too many.` }];
  const left = [discharges, deaths, transfers_out];
  const isWhole = [opening, admissions, births, transfers_in, ...left].every((count) => count !== null);
  const closing = came - left.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  if (!isWhole) return [];
  if (closing < 0) {
    const message = `More patients left than were in the unit: the closing would be ${formatCount(closing)}.`;
    return [{ code: 'NEGATIVE_CLOSING', field: 'closing', message }];
  }
  return partFindings(values, closing);
}

/** The fields in which two versions of a report differ, as they were and as they are. */
export function differences(
  before: StoredEntry | null,
  after: StoredEntry,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const fields = (Object.keys(after) as (keyof StoredEntry)[]).filter(
    (field) => (before?.[field] ?? null) !== after[field],
  );
  const pick = (from: StoredEntry | null) => Object.fromEntries(fields.map((field) => [field, from?.[field] ?? null]));
  return { before: pick(before), after: pick(after) };
}
