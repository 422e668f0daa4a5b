import { type FormEvent, useState } from 'react';
import { type FormErrors, noErrors } from '#/shared/forms/form-errors.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useNoteUnsaved } from './settings-context.ts';

interface FormInput<Values extends object, Name extends string> {
  /** Names the form among those of the page. */
  readonly id: string;
  /** What the server has. */
  readonly stored: Values;
  /** The fields at which something may be said, in the order in which they stand. */
  readonly names: readonly Name[];
  readonly required?: Partial<Readonly<Record<Name, string>>>;
  /** What is wrong with what was typed, before it is sent. */
  readonly check?: (values: Values) => Partial<Readonly<Record<Name, string | undefined>>>;
  /** False where it was not sent after all. */
  readonly send: (values: Values) => Promise<boolean>;
}

/** A part of the settings that is saved by itself: what was typed stands over what the server has until it is saved. */
export function useSettingsForm<Values extends object, Name extends string>(input: FormInput<Values, Name>) {
  const { id, stored, names, required, check, send } = input;
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [outcome, setOutcome] = useState<'saved' | 'undone' | null>(null);
  const [isForgotten, setIsForgotten] = useState(false);
  const values: Values = { ...stored, ...typed };
  const isChanged = JSON.stringify(values) !== JSON.stringify(stored);
  useNoteUnsaved(id, isChanged);
  const { props, ...form } = useForm({
    names,
    ...(required && { required }),
    ...(check && { check: () => check(values) }),
    async send() {
      if (!(await send(values))) return;
      // What was typed while it was under way is not saved yet.
      setTyped((now) => without(now, typed));
      setOutcome('saved');
    },
  });
  const set = (change: Partial<Values>) => {
    setTyped((now) => ({ ...now, ...change }));
    setOutcome(null);
  };
  const undo = () => {
    setTyped({});
    setOutcome('undone');
    setIsForgotten(true);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    setIsForgotten(false);
    props.onSubmit(event);
  };
  // What was said of words that are undone goes with them.
  const error: FormErrors<Name> = isForgotten ? noErrors : form.error;
  return {
    props: { ...props, onSubmit },
    error,
    isBusy: form.isBusy,
    values,
    isChanged,
    outcome: isChanged ? null : outcome,
    set,
    undo,
  };
}

function without<Values extends object>(now: Partial<Values>, sent: Partial<Values>): Partial<Values> {
  const left = Object.entries(now).filter(([key, value]) => value !== sent[key as keyof Values]);
  return Object.fromEntries(left) as Partial<Values>;
}
