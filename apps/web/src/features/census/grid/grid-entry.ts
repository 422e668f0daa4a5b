import { balanceWhile, parseCount } from '@wardline/census/balance.ts';
import { labelOf } from '@wardline/census/rules.ts';
import { COUNT_FIELDS, type CountField, type Finding, mostOf } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { REPORT_STATES } from '#/features/census/core/changes/report-states.ts';
import {
  countsOf,
  type Direction,
  type DraftTransfer,
  draftOf,
  isFirstReport,
  isUnplaced,
  openingOf,
  type ReportDraft,
  transferTotal,
} from '#/features/census/report/engine/report-draft.ts';
import { findingsOf } from '#/features/census/report/engine/report-findings.ts';

/** What is typed in a row: the seed of a first report, the counts, and the words that a rule asks for. */
export const GRID_FIELDS = ['seed', ...COUNT_FIELDS, 'variance_reason', 'capacity_reason'] as const;
export type GridField = (typeof GRID_FIELDS)[number];

/** What is wrong at a cell, for the person. */
export type CellErrors = Readonly<Partial<Record<GridField | 'closing', string>>>;

const LABELS: Readonly<Partial<Record<GridField, string>>> = {
  seed: 'Opening',
  variance_reason: 'Head count differs because',
  capacity_reason: 'Over capacity because',
};

export function fieldLabel(field: GridField): string {
  return LABELS[field] ?? labelOf(field as CountField);
}

const isText = (field: GridField): field is 'variance_reason' | 'capacity_reason' =>
  field === 'variance_reason' || field === 'capacity_reason';

const directionOf = (field: GridField): Direction | null =>
  field === 'transfers_in' ? 'in' : field === 'transfers_out' ? 'out' : null;

/** The text of a cell. */
export function cellText(day: UnitDay, draft: ReportDraft, field: GridField): string {
  if (isText(field)) return draft.text[field];
  if (field === 'seed' && !isFirstReport(day)) return String(day.opening);
  const direction = directionOf(field);
  const total = direction && !isUnplaced(draft, direction) ? transferTotal(draft, direction) : null;
  return total === null ? draft.numbers[field] : String(total);
}

/** The fields in which a draft is not what the server has. */
export function typedFields(day: UnitDay, draft: ReportDraft): GridField[] {
  const stored = draftOf(day);
  return GRID_FIELDS.filter((field) => cellText(day, draft, field) !== cellText(day, stored, field));
}

/** What a cell is made of: its text, and for transfers who is behind it. */
export interface CellPart {
  readonly text: string;
  readonly partners: readonly DraftTransfer[];
  /** Of a reason that stood there: of which numbers it was. */
  readonly varianceFor?: number | null;
}

export function partOf(draft: ReportDraft, field: GridField): CellPart {
  const text = isText(field) ? draft.text[field] : draft.numbers[field];
  const direction = directionOf(field);
  const partners = draft.transfers.filter((partner) => partner.direction === direction);
  return { text, partners, ...(field === 'variance_reason' && { varianceFor: draft.varianceFor }) };
}

/** The draft with another part in the place of a cell's. */
export function withPart(draft: ReportDraft, field: GridField, part: CellPart): ReportDraft {
  const { text, partners, varianceFor = draft.varianceFor } = part;
  if (isText(field)) return { ...draft, varianceFor, text: { ...draft.text, [field]: text } };
  const direction = directionOf(field);
  const others = draft.transfers.filter((partner) => partner.direction !== direction);
  const numbers = { ...draft.numbers, [field]: text };
  return direction === null ? { ...draft, numbers } : { ...draft, numbers, transfers: [...others, ...partners] };
}

/** The part that a text makes of a cell. A number of transfers goes to those who must be behind it, if anybody must. */
export function partOfText(day: UnitDay, draft: ReportDraft, { field, text }: { field: GridField; text: string }) {
  const direction = directionOf(field);
  const { partners } = partOf(draft, field);
  if (direction === null) return { text, partners };
  const placed = placedTransfers(day, direction, parseCount(text) ?? null);
  const none = partners.map((partner) => ({ ...partner, text: '' }));
  if (placed === null) return { text, partners: none };
  const texts = new Map(placed.map((partner) => [partner.unit_id, partner]));
  const added = placed.filter(({ unit_id }) => !partners.some((partner) => partner.unit_id === unit_id));
  return {
    text: placed.length > 0 ? '' : text,
    partners: [...none.map((partner) => texts.get(partner.unit_id) ?? partner), ...added],
  };
}

/** Why a cell cannot be typed in; null where it can. */
export function readOnlyBecause(day: UnitDay, field: GridField): string | null {
  if (!day.may.edit) return `The report is ${REPORT_STATES[day.status]}; you cannot change it here.`;
  if (field === 'seed' && !isFirstReport(day)) return 'The opening is the closing of the day before.';
  if (field === 'births' && day.population !== 'newborn') return 'Births are counted in the report of the newborn.';
  return null;
}

/** What a row comes to by the rules that form and server share. */
export interface ReadRow {
  /** Nothing in it keeps it from being saved. */
  readonly isReadable: boolean;
  readonly closing: number | null;
  readonly errors: CellErrors;
  /** What still keeps the report from being submitted. */
  readonly missing: readonly Finding[];
}

export function readRow(day: UnitDay, draft: ReportDraft): ReadRow {
  const found = findingsOf(draft, day, false);
  return {
    isReadable: found.length === 0,
    closing: balanceWhile(openingOf(draft, day), countsOf(draft))?.closing ?? null,
    errors: { ...errorsAt(found), ...unread(day, draft) },
    missing: findingsOf(draft, day, true),
  };
}

/** What the cell itself cannot take, in words that name it. */
function unread(day: UnitDay, draft: ReportDraft): CellErrors {
  const errors: Partial<Record<GridField, string>> = {};
  if (isUnplaced(draft, 'in'))
    errors.transfers_in = `${day.unit_code} received them from which unit? Enter it in the report.`;
  if (isUnplaced(draft, 'out'))
    errors.transfers_out = `${day.unit_code} sent them to which unit? Enter it in the report.`;
  for (const field of ['seed', ...COUNT_FIELDS] as const) {
    const text = cellText(day, draft, field);
    if (parseCount(text, field) === undefined) {
      errors[field] = `“${text}” is not a whole number from 0 to ${mostOf(field)}.`;
    }
  }
  return errors;
}

/**
 * The partners behind a total of transfers: what this unit said already, what the partners say of it, or nobody for 0. Null
 * for any other number: a grid has no place for the partners.
 */
function placedTransfers(day: UnitDay, direction: Direction, total: number | null): DraftTransfer[] | null {
  if (total === null || total === 0) return [];
  const moves = day.transfers.filter((move) => move.direction === direction);
  const said = (side: 'mine' | 'theirs') =>
    moves.flatMap(({ unit_id, unit_code, [side]: count }) =>
      count === null ? [] : [{ unit_id, unit_code, direction, text: String(count) }],
    );
  const isTotal = (given: readonly DraftTransfer[]) => given.reduce((all, { text }) => all + Number(text), 0) === total;
  return [said('mine'), said('theirs')].find(isTotal) ?? null;
}

/** Each finding at the cell at which the person acts; the first one stands. */
export function errorsAt(findings: readonly Pick<Finding, 'field' | 'message'>[]): CellErrors {
  const errors: Partial<Record<GridField | 'closing', string>> = {};
  for (const { field, message } of findings) {
    const at = field === 'opening' ? 'seed' : field;
    const place = [...GRID_FIELDS, 'closing' as const].find((known) => known === at) ?? 'closing';
    errors[place] ??= message;
  }
  return errors;
}
