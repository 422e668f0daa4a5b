import {
  HANDOVER_ACTION_MAX,
  HANDOVER_LINE_MAX,
  HANDOVER_OWNER_MAX,
  HANDOVER_SECTIONS,
  type HandoverFormat,
  HandoverFormat as HandoverFormatShape,
  type HandoverSection,
  HandoverSection as HandoverSectionShape,
  HandoverSeverity,
  type HandoverSheetInput,
  type HandoverSuggestion,
  HandoverSuggestion as HandoverSuggestionShape,
  type HandoverVersion,
} from '@wardline/contract/examinations/handovers.ts';
import * as z from 'zod/mini';

const DraftLine = z.object({
  key: z.string(),
  section: HandoverSectionShape,
  text: z.string(),
  /** What it was taken from; null of what was written from nothing. */
  suggestion: z.nullable(HandoverSuggestionShape),
});
export type DraftLine = z.infer<typeof DraftLine>;

const DraftAction = z.object({
  id: z.string(),
  text: z.string(),
  owner: z.string(),
  /** As the field holds it, by the facility's clock; empty for none. */
  due: z.string(),
});
export type DraftAction = z.infer<typeof DraftAction>;

/** A sheet that is being written. It is kept on the device, and signed by nobody. */
export const SheetDraft = z.object({
  /** Of the press that signs it: a repeat after a broken answer finds what it made. */
  clientId: z.string(),
  format: HandoverFormatShape,
  severity: z.nullable(HandoverSeverity),
  lines: z.array(DraftLine),
  actions: z.array(DraftAction),
  /** `user:…` or `role:…`, as it was chosen; empty for nobody. */
  to: z.string(),
  handsOverChat: z.boolean(),
  /** Why a signed sheet is corrected. */
  reason: z.string(),
});
export type SheetDraft = z.infer<typeof SheetDraft>;

type Ids = () => string;

const PLACES: Readonly<Record<HandoverFormat, Readonly<Record<HandoverSuggestion['kind'], HandoverSection>>>> = {
  ipass: {
    ...{ urgent: 'summary', news2: 'summary', result: 'summary', pin: 'summary', message: 'summary' },
    open_examination: 'awareness',
  },
  sbar: {
    ...{ urgent: 'situation', news2: 'assessment', result: 'assessment', pin: 'background', message: 'background' },
    open_examination: 'recommendation',
  },
};

/** Where what was written from nothing stands in the other form. */
const OTHER: Readonly<Record<HandoverSection, HandoverSection>> = {
  ...{ situation: 'summary', background: 'summary', assessment: 'summary', recommendation: 'awareness' },
  ...{ summary: 'situation', awareness: 'recommendation' },
};

/** A sheet begun from what stands in the chat. What was only said last is offered and not put in. */
export function beginDraft(suggestions: readonly HandoverSuggestion[], newId: Ids): SheetDraft {
  const format = 'ipass';
  const taken = suggestions.filter(({ kind }) => kind !== 'message');
  return {
    ...{ clientId: newId(), format, severity: null, actions: [], to: '', handsOverChat: false, reason: '' },
    lines: taken.map((suggestion) => toLine(suggestion, format, newId)),
  };
}

function toLine(suggestion: HandoverSuggestion, format: HandoverFormat, newId: Ids): DraftLine {
  return { key: newId(), section: PLACES[format][suggestion.kind], text: suggestion.text, suggestion };
}

/** A correction begins with what was signed. Nothing of it is a quotation until the chat is seen to say it still. */
export function beginCorrection(
  signed: HandoverVersion,
  {
    suggestions,
    to,
    newId,
    toLocal,
  }: { suggestions: readonly HandoverSuggestion[]; to: string; newId: Ids; toLocal: (at: string) => string },
): SheetDraft {
  const { format, severity, hands_over_chat: handsOverChat } = signed;
  return {
    ...{ clientId: newId(), format, severity, handsOverChat, to, reason: '' },
    lines: signed.lines.map(({ section, text, source }) => ({
      ...{ key: newId(), section, text },
      suggestion:
        source &&
        (suggestions.find((suggestion) => isSame(suggestion, { text, source })) ?? {
          kind: 'message',
          text: '',
          source,
        }),
    })),
    actions: signed.actions.map(({ id, text, owner, due_at }) => ({
      ...{ id, text, owner, due: due_at === null ? '' : toLocal(due_at) },
    })),
  };
}

function isSame(
  a: Pick<HandoverSuggestion, 'text' | 'source'>,
  b: Pick<HandoverSuggestion, 'text' | 'source'>,
): boolean {
  return a.source.id === b.source.id && a.text === b.text;
}

/** The same words in the other form: what was taken from the chat where that form has it, the rest where it fits best. */
export function inFormat(draft: SheetDraft, format: HandoverFormat): SheetDraft {
  if (format === draft.format) return draft;
  const lines = draft.lines.map((line) => ({
    ...line,
    section: line.suggestion ? PLACES[format][line.suggestion.kind] : OTHER[line.section],
  }));
  return { ...draft, format, lines };
}

/** What stands in the chat and not in the sheet. */
export function offersOf({ lines }: SheetDraft, suggestions: readonly HandoverSuggestion[]): HandoverSuggestion[] {
  return suggestions.filter(
    (suggestion) =>
      !lines.some(
        (line) =>
          line.suggestion &&
          line.suggestion.source.id === suggestion.source.id &&
          line.suggestion.kind === suggestion.kind,
      ),
  );
}

export function withSuggestion(draft: SheetDraft, suggestion: HandoverSuggestion, newId: Ids): SheetDraft {
  return { ...draft, lines: [...draft.lines, toLine(suggestion, draft.format, newId)] };
}

/** Whether it still says what it was taken from; what was edited is its writer's own. */
export function isQuoted({ text, suggestion }: DraftLine): boolean {
  return suggestion !== null && suggestion.text === text.trim();
}

/** Said last, or pinned: it stays said, whatever else is said since. */
const LASTING: readonly HandoverSuggestion['kind'][] = ['message', 'pin'];

/**
 * Of a line that quotes what the chat does not say any more: what it says of it now, or null where it says nothing of it. Undefined of
 * every other line.
 */
export function changedSuggestion(
  line: DraftLine,
  suggestions: readonly HandoverSuggestion[],
): HandoverSuggestion | null | undefined {
  const { suggestion } = line;
  if (suggestion === null || !isQuoted(line) || LASTING.includes(suggestion.kind)) return undefined;
  if (suggestions.some((one) => isSame(one, suggestion))) return undefined;
  return suggestions.find(({ kind, source }) => source.id === suggestion.source.id && kind === suggestion.kind) ?? null;
}

/** What is signed: the lines that say something, in the order of the form. */
export function toSheet(draft: SheetDraft, readDue: (due: string) => string): HandoverSheetInput {
  const { format, severity, actions } = draft;
  return {
    ...{ format, severity },
    lines: signedLines(draft).map((line) => ({
      ...{ section: line.section, text: line.text.trim() },
      ...(line.suggestion && {
        source: { kind: line.suggestion.source.kind, id: line.suggestion.source.id },
        is_quoted: isQuoted(line),
      }),
    })),
    actions: actions
      .filter(({ text }) => text.trim() !== '')
      .map(({ id, text, owner, due }) => ({
        ...{ id, text: text.trim(), owner: owner.trim(), due_at: due === '' ? null : readDue(due) },
      })),
  };
}

/** The lines that are signed, as the server counts them. */
export function signedLines({ format, lines }: SheetDraft): DraftLine[] {
  return HANDOVER_SECTIONS[format].flatMap((section) =>
    lines.filter((line) => line.section === section && line.text.trim() !== ''),
  );
}

/** Why it can't be signed yet, at its field; null where nothing is in the way. */
export function blockedBy(draft: SheetDraft, isCorrection: boolean): { field: string; text: string } | null {
  if (draft.format === 'ipass' && draft.severity === null)
    return { field: 'severity', text: 'Choose how ill the patient is.' };
  if (signedLines(draft).length === 0) return { field: 'lines', text: 'Write something first.' };
  if (draft.to === '') return { field: 'to', text: 'Choose whom you hand over to.' };
  if (isCorrection && draft.reason.trim() === '') return { field: 'reason', text: 'Say why it is corrected.' };
  return null;
}

export const LIMITS = { line: HANDOVER_LINE_MAX, action: HANDOVER_ACTION_MAX, owner: HANDOVER_OWNER_MAX } as const;
