import { balanceWhile, parseCount } from '@wardline/census/balance.ts';
import { draftFindings, labelOf, type ReportFacts, submitFindings } from '@wardline/census/rules.ts';
import {
  COUNT_FIELDS,
  type CountField,
  type Counts,
  type Finding,
  type GivenTransfer,
  type UnitDay,
  type UnitDayEntry,
} from '@wardline/contract/census.ts';

/** What is typed in a row: the seed of a first report, the counts, and the words that a rule asks for. */
export const GRID_FIELDS = ['seed', ...COUNT_FIELDS, 'variance_reason', 'capacity_reason'] as const;
export type GridField = (typeof GRID_FIELDS)[number];

/** What somebody typed over a report as the server has it. */
export type Typed = Readonly<Partial<Record<GridField, string>>>;

/** What is wrong at a cell, for the person. */
export type Troubles = Readonly<Partial<Record<GridField | 'closing', string>>>;

const LABELS: Readonly<Partial<Record<GridField, string>>> = {
  seed: 'Opening',
  variance_reason: 'Head count differs because',
  capacity_reason: 'Over capacity because',
};

export function fieldLabel(field: GridField): string {
  return LABELS[field] ?? labelOf(field as CountField);
}

const isWords = (field: GridField): field is 'variance_reason' | 'capacity_reason' =>
  field === 'variance_reason' || field === 'capacity_reason';

/** The text of a cell as the server has it. */
export function storedText(day: UnitDay, field: GridField): string {
  if (isWords(field)) return day[field] ?? '';
  if (field === 'seed') return day.opening === null ? '' : String(day.opening);
  if (field === 'births' && day.class !== 'newborn') return '0';
  const count = day.counts[field];
  return count === null ? '' : String(count);
}

/** The text of a cell: what was typed, else what is stored. */
export function cellText(day: UnitDay, typed: Typed, field: GridField): string {
  return typed[field] ?? storedText(day, field);
}

/** Why a cell cannot be typed in; null where it can. */
export function readOnlyBecause(day: UnitDay, field: GridField): string | null {
  if (!day.may.edit) return `The report is ${STATES[day.status]}; you cannot change it here.`;
  if (field === 'seed' && day.opening !== null) return 'The opening is the closing of the day before.';
  if (field === 'births' && day.class !== 'newborn') return 'Births are counted in the report of the newborn.';
  return null;
}

const STATES: Readonly<Record<UnitDay['status'], string>> = {
  draft: 'a draft',
  submitted: 'submitted',
  returned: 'returned',
  approved: 'approved',
  locked: 'locked',
  amending: 'being corrected',
};

/** A row as it would be sent, with what is wrong at its cells; `entry` is null while a cell cannot be read. */
export interface ReadRow {
  readonly entry: Omit<UnitDayEntry, 'client_id' | 'submit' | 'version'> | null;
  readonly closing: number | null;
  readonly troubles: Troubles;
  /** What still keeps the report from being submitted. */
  readonly missing: readonly Finding[];
}

/** Reads a row by the same rules as the form and the server. */
export function readRow(day: UnitDay, typed: Typed): ReadRow {
  const unread: Partial<Record<GridField, string>> = {};
  const numberOf = (field: 'seed' | CountField): number | null => {
    const text = cellText(day, typed, field);
    const count = parseCount(text);
    if (count === undefined) unread[field] = `“${text}” is not a whole number from 0 to 9999.`;
    return count ?? null;
  };
  const opening = numberOf('seed');
  const counts = Object.fromEntries(COUNT_FIELDS.map((field) => [field, numberOf(field)])) as Counts;
  const given = { in: transfersOf(day, 'in', counts.transfers_in), out: transfersOf(day, 'out', counts.transfers_out) };
  if (given.in === null) unread.transfers_in ??= `${day.unit_code} received them from whom? Say it in its report.`;
  if (given.out === null) unread.transfers_out ??= `${day.unit_code} sent them where? Say it in its report.`;
  const transfers = [...(given.in ?? []), ...(given.out ?? [])];
  const facts: ReportFacts = {
    unit_id: day.unit_id,
    class: day.class,
    opening,
    previous_closing: day.opening_from === null ? null : day.opening,
    counts,
    transfers,
    beds: day.beds,
    variance_reason: cellText(day, typed, 'variance_reason'),
    capacity_reason: cellText(day, typed, 'capacity_reason'),
  };
  const isRead = Object.keys(unread).length === 0;
  const found = isRead ? draftFindings(facts) : [];
  return {
    entry: isRead && found.length === 0 ? { ...seedOf(day, opening), ...wordsOf(facts), counts, transfers } : null,
    closing: balanceWhile(opening, counts)?.closing ?? null,
    troubles: { ...troublesAt(found), ...unread },
    missing: isRead ? submitFindings(facts) : [],
  };
}

function seedOf(day: UnitDay, opening: number | null) {
  return day.opening === null ? { seed: opening } : {};
}

function wordsOf({ variance_reason, capacity_reason }: ReportFacts) {
  return { variance_reason: variance_reason || null, capacity_reason: capacity_reason || null };
}

/**
 * The partners behind a total of transfers: what this unit said already, what the partners say of it, or nobody for 0. Null
 * for any other number: a grid has no place for the partners.
 */
function transfersOf(day: UnitDay, direction: 'in' | 'out', total: number | null): GivenTransfer[] | null {
  const moves = day.transfers.filter((move) => move.direction === direction);
  const said = (side: 'mine' | 'theirs') =>
    moves.flatMap((move) => {
      const count = move[side];
      return count === null ? [] : [{ unit_id: move.unit_id, direction, count }];
    });
  const sum = (given: readonly GivenTransfer[]) => given.reduce((all, { count }) => all + count, 0);
  const mine = said('mine');
  if (total === null || total === sum(mine)) return mine;
  if (total === 0) return [];
  const theirs = said('theirs');
  return total === sum(theirs) ? theirs : null;
}

/** Each finding at the cell at which the person acts; the first one stands. */
export function troublesAt(findings: readonly Pick<Finding, 'field' | 'message'>[]): Troubles {
  const troubles: Partial<Record<GridField | 'closing', string>> = {};
  for (const { field, message } of findings) {
    const at = field === 'opening' ? 'seed' : field;
    const place = [...GRID_FIELDS, 'closing' as const].find((known) => known === at) ?? 'closing';
    troubles[place] ??= message;
  }
  return troubles;
}
