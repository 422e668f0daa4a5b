import { parseCount } from '@wardline/census/balance.ts';
import { type CountField, type Finding, mostOf } from '@wardline/contract/census/census.ts';
import { createContext, use } from 'react';
import { withPartner } from './compare-drafts.ts';
import type { Direction, DraftTransfer, NumberField, ReportDraft, WordField } from './report-draft.ts';
import type { EditorState, ReportEditor } from './report-editor.ts';
import { SHEET_FIELDS } from './sheet-lines.ts';
import type { UnusualTyped } from './unusual.ts';

/** One report on the screen: what its parts draw and do. */
export interface ReportView {
  readonly state: EditorState;
  readonly editor: ReportEditor;
  /** Whether the person may type now. */
  readonly isEditable: boolean;
  /** The sentence for a field, once it is time to say it. */
  readonly errorOf: (field: string) => string | undefined;
  /** The person has left a field: what is wrong with it may be said. */
  readonly leave: (field: string) => void;
  /** What is wrong with the report as a whole. */
  readonly general: readonly Finding[];
  readonly submit: () => void;
  readonly isBusy: boolean;
  /** What is asked before it is submitted, because it is unusual; null where nothing is. */
  readonly unusual: readonly UnusualTyped[] | null;
  /** It is right: submits. */
  readonly confirm: () => void;
  /** It is not: back to the first of them. */
  readonly change: () => void;
}

export const ReportContext = createContext<ReportView | null>(null);

export function useReport(): ReportView {
  const view = use(ReportContext);
  if (view === null) throw new Error('There is no report around this component.');
  return view;
}

export const inputId = (field: string): string => `census-${field}`;
export const partnerId = ({ direction, unit_id }: Pick<DraftTransfer, 'direction' | 'unit_id'>): string =>
  `census-partner-${direction}-${unit_id}`;
export const addPartnerId = (direction: Direction): string => `census-add-${direction}`;

export function writeNumber(field: NumberField, text: string) {
  return (draft: ReportDraft): ReportDraft => ({ ...draft, numbers: { ...draft.numbers, [field]: text } });
}

export function formatWrite(field: WordField, text: string) {
  return (draft: ReportDraft): ReportDraft => ({ ...draft, text: { ...draft.text, [field]: text } });
}

export function writePartner(partner: DraftTransfer, text: string) {
  return (draft: ReportDraft): ReportDraft => withPartner(draft, { ...partner, text });
}

/** One more or one less than a text; a text that is no count stays. */
export function stepped(text: string, by: 1 | -1, field = ''): string {
  const count = parseCount(text, field);
  if (count === undefined) return text;
  return String(Math.min(mostOf(field), Math.max(0, (count ?? 0) + by)));
}

/** Whether Enter writes 0 into a field that was left empty. The head count and a first opening have to be typed, stays may be left out. */
export function canBeNone(field: NumberField): field is CountField {
  return field !== 'counted' && field !== 'seed' && field !== 'discharge_days';
}

/** Gives the focus to the field after or before one, in the order of the sheet; after the last to what submits. */
export function moveFocus(from: HTMLElement, by: 1 | -1): void {
  const form = from.closest('form');
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-step]') ?? [])].filter(
    (field) => !field.matches(':disabled'),
  );
  const next = fields[fields.indexOf(from) + by];
  if (next) next.focus();
  else if (by === 1) focusOnSubmit();
}

/** Gives the focus to a field by its id; false where it is not on the page. */
export function focusOn(id: string): boolean {
  const field = document.getElementById(id);
  field?.focus();
  return field !== null;
}

/** Gives the focus to the button that submits: the one of the top bar, or the phone's. */
export function focusOnSubmit(): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-submit]')];
  (buttons.find((button) => button.checkVisibility?.() ?? true) ?? buttons[0])?.focus();
}

/** In the order of the page. */
const ON_PAGE: ReadonlySet<string> = new Set([
  'seed',
  ...SHEET_FIELDS,
  'beds_staffed',
  'beds_blocked',
  'variance_reason',
  'capacity_reason',
  'note',
]);

export function isOnPage(field: string): boolean {
  return ON_PAGE.has(field);
}

/** What is wrong with the report as a whole stands here. */
export const generalId = 'census-general';

/** The first field, in the order of the page, that has to be seen to; without one, the words over the sheet. */
export function focusFirst(wrong: readonly Finding[]): void {
  const fields = new Set(wrong.map(({ field }) => field));
  for (const field of ON_PAGE) if (fields.has(field) && focusOn(inputId(field))) return;
  // They may be drawn with the next frame only.
  requestAnimationFrame(() => focusOn(generalId));
}
