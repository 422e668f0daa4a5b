import type { HandoverSuggestion, HandoverVersion } from '@wardline/contract/examinations/handovers.ts';
import { describe, expect, it } from 'vitest';
import {
  beginCorrection,
  beginDraft,
  blockedBy,
  changedSuggestion,
  inFormat,
  isQuoted,
  offersOf,
  type SheetDraft,
  toSheet,
  withSuggestion,
} from './sheet-draft.ts';

let made = 0;
const newId = () => `id-${++made}`;
const at = '2026-11-20T00:10:00.000Z';

function suggestion(kind: HandoverSuggestion['kind'], text: string, id = text): HandoverSuggestion {
  const of = kind === 'news2' || kind === 'result' || kind === 'open_examination' ? 'examination' : 'message';
  return { kind, text, source: { kind: of, id, seq: of === 'message' ? 4 : null, label: 'Mira', at } };
}
const SUGGESTIONS = [
  suggestion('urgent', 'Urgent, not acknowledged yet: come'),
  suggestion('news2', 'NEWS2 7, high risk', 'vitals'),
  suggestion('result', 'Vital signs: Pulse 130 /min (high)', 'vitals'),
  suggestion('open_examination', 'Open: CT head, requested by Ana'),
  suggestion('pin', 'Allergic to penicillin'),
  suggestion('message', 'Daughter comes at 8'),
];
const readDue = (due: string) => `${due}:00Z`;
const textsOf = ({ lines }: SheetDraft, section: string) =>
  lines.filter((line) => line.section === section).map(({ text }) => text);
const line = (draft: SheetDraft, text: string) => {
  const found = draft.lines.find((one) => one.text === text);
  if (!found) throw new Error(`no line ${text}`);
  return found;
};
const edited = (draft: SheetDraft, from: string, to: string): SheetDraft => ({
  ...draft,
  lines: draft.lines.map((one) => (one.text === from ? { ...one, text: to } : one)),
});

describe('a sheet that is begun', () => {
  it('HAND-1 has what the chat says in its place, and offers what was only said last', () => {
    const draft = beginDraft(SUGGESTIONS, newId);
    expect(textsOf(draft, 'summary')).toEqual(
      [SUGGESTIONS[0], SUGGESTIONS[1], SUGGESTIONS[2], SUGGESTIONS[4]].map((one) => one?.text),
    );
    expect(textsOf(draft, 'awareness')).toEqual(['Open: CT head, requested by Ana']);
    expect(offersOf(draft, SUGGESTIONS).map(({ kind }) => kind)).toEqual(['message']);
    expect(draft).toMatchObject({ format: 'ipass', severity: null, to: '', actions: [] });
  });

  it('HAND-1 in the other form keeps its words, each where that form has it', () => {
    const draft = beginDraft(SUGGESTIONS, newId);
    const own = { key: 'own', section: 'awareness' as const, text: 'If she drops: call', suggestion: null };
    const sbar = inFormat({ ...draft, lines: [...draft.lines, own] }, 'sbar');
    expect(textsOf(sbar, 'situation')).toEqual(['Urgent, not acknowledged yet: come']);
    expect(textsOf(sbar, 'background')).toEqual(['Allergic to penicillin']);
    expect(textsOf(sbar, 'assessment')).toHaveLength(2);
    expect(textsOf(sbar, 'recommendation')).toEqual(['Open: CT head, requested by Ana', 'If she drops: call']);
    expect(inFormat(sbar, 'ipass').lines.map(({ section }) => section)).toEqual(
      [...draft.lines, own].map(({ section }) => section),
    );
  });

  it('HAND-1 a line that was taken out is offered again, and one that was edited is its writer’s and quotes nothing', () => {
    const draft = beginDraft(SUGGESTIONS, newId);
    const without = { ...draft, lines: draft.lines.filter(({ text }) => text !== 'Allergic to penicillin') };
    const [offer] = offersOf(without, SUGGESTIONS);
    expect(offer?.text).toBe('Allergic to penicillin');
    expect(withSuggestion(without, offer as HandoverSuggestion, newId).lines.at(-1)).toMatchObject({
      section: 'summary',
      suggestion: offer,
    });
    const changed = edited(draft, 'Allergic to penicillin', 'Penicillin: rash');
    expect(isQuoted(line(changed, 'Penicillin: rash'))).toBe(false);
    // The source is still shown and sent; it is not offered a second time.
    expect(offersOf(changed, SUGGESTIONS).map(({ kind }) => kind)).toEqual(['message']);
    const sent = toSheet(changed, readDue).lines.find(({ text }) => text === 'Penicillin: rash');
    expect(sent).toMatchObject({ is_quoted: false, source: { kind: 'message', id: 'Allergic to penicillin' } });
  });
});

describe('what the chat says by now', () => {
  const draft = beginDraft(SUGGESTIONS, newId);

  it('HAND-1 is said beside a line that quotes something else, and beside no other', () => {
    const amended = suggestion('result', 'Vital signs: Pulse 88 /min', 'vitals');
    const now = [...SUGGESTIONS.slice(0, 2), amended, ...SUGGESTIONS.slice(3)];
    expect(changedSuggestion(line(draft, 'Vital signs: Pulse 130 /min (high)'), now)).toBe(amended);
    expect(changedSuggestion(line(draft, 'NEWS2 7, high risk'), now)).toBeUndefined();
    const own = edited(draft, 'Vital signs: Pulse 130 /min (high)', 'Pulse fast');
    expect(changedSuggestion(line(own, 'Pulse fast'), now)).toBeUndefined();
  });

  it('HAND-1 an urgent message that is over, or an examination that is signed, is nothing open any more', () => {
    expect(changedSuggestion(line(draft, 'Urgent, not acknowledged yet: come'), SUGGESTIONS.slice(1))).toBeNull();
    expect(changedSuggestion(line(draft, 'Open: CT head, requested by Ana'), [])).toBeNull();
    // What was said stays said, also where twenty others were said since.
    expect(changedSuggestion(line(draft, 'Allergic to penicillin'), [])).toBeUndefined();
  });
});

describe('what is signed', () => {
  it('HAND-1 are the lines and actions that say something, in the order of the form', () => {
    const draft = beginDraft(SUGGESTIONS, newId);
    const whole: SheetDraft = {
      ...{ ...draft, severity: 'watcher' },
      lines: [
        { key: 'a', section: 'awareness', text: ' If she drops: call ', suggestion: null },
        { key: 'b', section: 'summary', text: '  ', suggestion: null },
        { key: 'c', section: 'summary', text: 'Urosepsis', suggestion: null },
      ],
      actions: [
        { id: 'x', text: 'Lactate', owner: ' SHO ', due: '2026-11-20T02:00' },
        { id: 'y', text: '', owner: 'SHO', due: '' },
      ],
    };
    expect(toSheet(whole, readDue)).toEqual({
      ...{ format: 'ipass', severity: 'watcher' },
      lines: [
        { section: 'summary', text: 'Urosepsis' },
        { section: 'awareness', text: 'If she drops: call' },
      ],
      actions: [{ id: 'x', text: 'Lactate', owner: 'SHO', due_at: '2026-11-20T02:00:00Z' }],
    });
  });

  it('HAND-1 says at its field what is missing', () => {
    const draft = beginDraft([], newId);
    const fieldOf = (change: Partial<SheetDraft>, isCorrection = false) =>
      blockedBy({ ...draft, ...change }, isCorrection)?.field;
    const lines = [{ key: 'a', section: 'summary', text: 'Urosepsis', suggestion: null }] satisfies SheetDraft['lines'];
    expect(fieldOf({ lines })).toBe('severity');
    expect(fieldOf({ severity: 'stable' })).toBe('lines');
    expect(fieldOf({ severity: 'stable', lines })).toBe('to');
    expect(fieldOf({ severity: 'stable', lines, to: 'user:a' })).toBeUndefined();
    expect(fieldOf({ severity: 'stable', lines, to: 'user:a' }, true)).toBe('reason');
    const sbar = { ...inFormat(draft, 'sbar'), lines: [{ ...lines[0], section: 'situation' as const }] };
    expect(fieldOf(sbar as SheetDraft)).toBe('to');
  });

  it('HAND-1 a correction begins with it: what the chat still says is a quotation, the rest is not', () => {
    const source = { kind: 'message', id: 'Allergic to penicillin', seq: 4, label: 'Mira', at } as const;
    const signed = {
      ...{ format: 'ipass', severity: 'watcher', hands_over_chat: false },
      lines: [
        { section: 'summary', text: 'Allergic to penicillin', source, is_quoted: true },
        { section: 'summary', text: 'Penicillin: rash', source, is_quoted: false },
        { section: 'awareness', text: 'Call me', source: null, is_quoted: false },
      ],
      actions: [{ id: 'x', text: 'Lactate', owner: 'SHO', due_at: at }],
    } as unknown as HandoverVersion;
    const draft = beginCorrection(signed, {
      suggestions: SUGGESTIONS,
      to: 'user:a',
      newId,
      toLocal: (when) => when.slice(0, 16),
    });
    expect(draft.lines.map(isQuoted)).toEqual([true, false, false]);
    expect(draft.lines.map((one) => one.suggestion?.source.id)).toEqual([source.id, source.id, undefined]);
    expect(draft.actions).toEqual([{ id: 'x', text: 'Lactate', owner: 'SHO', due: '2026-11-20T00:10' }]);
    expect(draft).toMatchObject({ to: 'user:a', reason: '' });
  });
});
