import { ApiError, isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import {
  type Entry,
  type Examination,
  type TemplateField,
  updateExamination,
} from '@wardline/contract/examinations/examinations.ts';
import { findMissing, type Incompleteness } from '@wardline/examination/completeness.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatValue } from '#/features/examinations/core/examination-labels.ts';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { keepTyped, openForm, readTyped } from './kept-typed.ts';
import {
  mergedEntries,
  overtakenFields,
  refusedFields,
  sendable,
  type TypedEntry,
  type TypedValues,
  typedError,
  typeInto,
  withoutField,
  withoutSent,
} from './typed-values.ts';

/** What is said beside a field: that another entered something else, or why it was refused. */
export interface FieldProblem {
  readonly text: string;
  readonly isConflict: boolean;
}

export interface ExaminationForm {
  /** As it stands: what a save has just answered is never drawn later than what was typed goes. */
  readonly examination: Examination;
  readonly typed: TypedValues;
  readonly problems: Readonly<Record<string, FieldProblem>>;
  /** Why what was typed is not stored, where no field is the reason. */
  readonly error: string | null;
  readonly isSaving: boolean;
  type(field: string, change: Partial<Omit<TypedEntry, 'base' | 'as'>>): void;
  /** As it stands now, whatever was drawn last. */
  now(): TypedValues;
  /** The same with what is stored: as it would be signed now. */
  entries(): Entry[];
  /** Stores what can be stored; true where nothing is left over. */
  save(): Promise<boolean>;
  /** What is in the way of a signature that was tried, as it is drawn; null once nothing is. */
  readonly inTheWay: string | null;
  /** Why what was typed cannot go with a move as it stands, marked at the fields; of a signature also what is missing. */
  blocked(isSigning: boolean): string | null;
  /** Of a conflict: mine replaces theirs with the next save, or is dropped. */
  decide(field: string, mine: boolean): void;
  /** What was typed into fields that the form has no more: nothing can store it. */
  readonly placeless: readonly { readonly code: string; readonly label: string; readonly value: string }[];
  discardPlaceless(): void;
  /** Drops all that was typed. */
  discard(): void;
  /** Drops what went with a move, which made this version; null where it waits. What was typed since stays. */
  leave(gone: TypedValues, version: number | null): void;
  /** Takes back what was typed and went with a move that did not arrive; what was typed since stays. */
  restore(typed: TypedValues): void;
  /** Why a signature was refused, at the fields. True where a field said so. */
  refuse(error: unknown): boolean;
}

/**
 * What is typed into an examination. It is kept on the device with every key, so that a reload or a killed tab loses nothing, and
 * stored when a field is left. What another entered in the same field meanwhile is told there as it comes, and nothing is overwritten. While a
 * move of the examination waits it is held: what was stored before that would overtake it.
 */
export function useExaminationForm(given: Examination, myId: string, isHeld: boolean): ExaminationForm {
  const [saved, setSaved] = useState<Examination | null>(null);
  const examination = saved && saved.version > given.version ? saved : given;
  const call = useCall();
  const keep = useKeepExamination();
  const queries = useQueryClient();
  const { typed, now, set } = useTypedValues(examination);
  const { problems: said, setProblems, saidConflicts } = useProblems();
  const [error, setError] = useState<string | null>(null);
  const [wasTried, setWasTried] = useState(false);
  const [saving, setSaving] = useState<Promise<boolean> | null>(null);
  const current = useRef<Promise<boolean> | null>(null);
  const { id, template } = examination;
  const latest = () => queries.getQueryData<Examination>(['examination', id]) ?? examination;
  /** With what went along with moves that wait, which the answers of the server do not have yet. */
  const shown = () => (latest().version > examination.version ? latest() : examination);
  /** One's own other window is no conflict until it is signed, on the server neither. */
  const overtaken = () => overtakenFields(now(), latest().entries, myId);
  /** Those that wait for a decision. */
  const heldFields = () => new Set([...saidConflicts(), ...overtaken().map(({ field }) => field)]);
  const missing = wasTried
    ? findMissing(template.fields, mergedEntries(template.fields, typed, examination.entries))
    : null;
  const problems: Problems = {
    ...said,
    ...toProblems(missing?.fields ?? {}),
    ...conflictsOf(template.fields, typed, overtakenFields(typed, examination.entries, myId)),
  };

  const send = async (): Promise<boolean> => {
    const change = sendable(template.fields, now(), heldFields());
    if (change === null) return Object.keys(now()).length === 0;
    setError(null);
    try {
      const body = { expected_version: change.base, entries: change.entries };
      const stored = await call(updateExamination, { params: { examination: id }, body });
      keep(stored);
      setSaved(stored);
      set(withoutSent(now(), change.entries, stored.version));
      return Object.keys(now()).length === 0;
    } catch (failure) {
      await say(failure);
      return false;
    }
  };
  const say = async (failure: unknown) => {
    const isConflict = statusOf(failure) === 409;
    const fields = failure instanceof ApiError ? refusedFields(failure.fieldErrors) : {};
    if (isConflict || Object.keys(fields).length > 0) await queries.refetchQueries({ queryKey: ['examination', id] });
    const found = Object.entries(fields).map(([field, text]) => [field, { text, isConflict }] as const);
    setProblems((before) => ({ ...before, ...Object.fromEntries(found) }));
    if (found.length > 0) return;
    setError(isTemporary(failure) ? 'Not saved yet. What you typed is kept on this device.' : formatAction(failure));
  };
  const save = (): Promise<boolean> => {
    // What amends a report goes with its signature.
    if (isHeld || !isEditable(latest().state)) return Promise.resolve(true);
    const next = (current.current ?? Promise.resolve(true)).then(send);
    current.current = next;
    setSaving(next);
    void next.finally(() => setSaving((running) => (running === next ? null : running)));
    return next;
  };
  const retry = useEffectEvent(() => void (Object.keys(now()).length > 0 && save()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: again in a newer form, which has a place for what another had not
  useEffect(() => {
    if (!isHeld) retry();
  }, [isHeld, template.version]);
  useEffect(() => {
    const onOnline = () => retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);

  const forget = (field: string) => setProblems(({ [field]: _solved, ...others }) => others);
  return {
    ...{ examination, typed, now, problems, error, isSaving: saving !== null, save },
    entries: () => mergedEntries(template.fields, now(), shown().entries),
    type(field, change) {
      if (!heldFields().has(field)) forget(field);
      // As it is drawn, which is where it was typed into.
      const stated = template.fields.find(({ code }) => code === field);
      if (!stated) return;
      set(typeInto(now(), stated, { change, stored: shown().entries, version: latest().version }));
    },
    decide(field, mine) {
      forget(field);
      const { [field]: entry, ...others } = now();
      set(mine && entry ? { ...others, [field]: { ...entry, base: latest().version } } : others);
    },
    inTheWay: wasTried ? formatBlocked(template.fields, typed, { held: conflictsIn(problems), missing }) : null,
    blocked(isSigning) {
      // A signature is not put over what one entered in another window either.
      const found = conflictsOf(template.fields, now(), overtakenFields(now(), latest().entries, null));
      setProblems((before) => ({ ...before, ...found }));
      if (isSigning) setWasTried(true);
      const lacking = isSigning
        ? findMissing(template.fields, mergedEntries(template.fields, now(), shown().entries))
        : null;
      return formatBlocked(template.fields, now(), { held: heldFields(), missing: lacking });
    },
    placeless: withoutField(template.fields, typed),
    discardPlaceless() {
      const gone = new Set(withoutField(template.fields, now()).map(({ code }) => code));
      set(Object.fromEntries(Object.entries(now()).filter(([code]) => !gone.has(code))));
    },
    discard() {
      setProblems({});
      setError(null);
      setWasTried(false);
      set({});
    },
    leave(gone, version) {
      const sent = sendable(template.fields, gone)?.entries ?? [];
      if (sent.length > 0) set(withoutSent(now(), sent, version));
    },
    restore(kept) {
      set({ ...kept, ...now() });
    },
    refuse(failure) {
      const found = toProblems(failure instanceof ApiError ? refusedFields(failure.fieldErrors) : {});
      setProblems((before) => ({ ...before, ...found }));
      return Object.keys(found).length > 0;
    },
  };
}

type Problems = Readonly<Record<string, FieldProblem>>;

const toProblems = (sentences: Readonly<Record<string, string>>): Problems =>
  Object.fromEntries(Object.entries(sentences).map(([field, text]) => [field, { text, isConflict: false }]));

const conflictsIn = (problems: Problems): ReadonlySet<string> =>
  new Set(Object.keys(problems).filter((field) => problems[field]?.isConflict));

/** What is in the way as one sentence: what does not fit, else what is not decided, else what is missing. */
function formatBlocked(
  fields: readonly TemplateField[],
  typed: TypedValues,
  { held, missing }: { readonly held: ReadonlySet<string>; readonly missing: Incompleteness | null },
): string | null {
  const labels = (isMeant: (field: TemplateField) => boolean) =>
    fields
      .filter(isMeant)
      .map(({ label }) => label)
      .join(', ');
  const wrong = labels((field) => typedError(field, typed[field.code]) !== null);
  if (wrong) return `What you typed does not fit yet: ${wrong}.`;
  const placeless = withoutField(fields, typed).map(({ label }) => label);
  if (placeless.length > 0) return `The form has no place any more for: ${placeless.join(', ')}. Discard that first.`;
  const open = labels(({ code }) => typed[code] !== undefined && held.has(code));
  if (open) return `Decide first whose value stands: ${open}.`;
  const lacking = labels(({ code }) => missing?.fields[code] !== undefined);
  return lacking ? `Needed to sign: ${lacking}.` : (missing?.whole ?? null);
}

/** What another entered in a field meanwhile, in the words of the form. */
function conflictsOf(
  fields: readonly TemplateField[],
  typed: TypedValues,
  overtaken: readonly Examination['entries'][number][],
): Problems {
  const found = overtaken.flatMap(({ field, value, by }) => {
    const stated = fields.find(({ code }) => code === field);
    const isMarked = value === typed[field]?.value.trim();
    const text = isMarked
      ? `${by.name} marked other places.`
      : `${by.name} entered ${stated && formatValue(stated, value)}.`;
    return stated ? [[field, { text, isConflict: true }] as const] : [];
  });
  return Object.fromEntries(found);
}

/** As drawn, and as they are now: what is decided at a press holds for the save that follows it. */
function useProblems() {
  const [problems, show] = useState<Problems>({});
  const now = useRef(problems);
  return {
    problems,
    /** Fields of which the server said that another was there first. */
    saidConflicts: () => conflictsIn(now.current),
    setProblems(next: Problems | ((before: Problems) => Problems)) {
      now.current = typeof next === 'function' ? next(now.current) : next;
      show(now.current);
    },
  };
}

/** What was typed, on the device as well; what an earlier visit left there comes back. */
function useTypedValues(examination: Examination) {
  const { store } = useDevice();
  const { id } = examination;
  const [typed, setTyped] = useState<TypedValues>({});
  const held = useRef(typed);
  const show = (next: TypedValues) => {
    held.current = next;
    setTyped(next);
  };
  // What is typed before the device answers is newer.
  const restore = useEffectEvent((kept: TypedValues) => show({ ...kept, ...held.current }));
  useEffect(() => {
    let isHere = true;
    void readTyped(store, id).then((kept) => isHere && restore(kept));
    const close = openForm(id);
    return () => {
      isHere = false;
      close();
    };
  }, [store, id]);
  return {
    typed,
    now: () => held.current,
    set(next: TypedValues) {
      show(next);
      void keepTyped(store, examination, next);
    },
  };
}
