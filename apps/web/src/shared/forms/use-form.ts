import { isTemporary } from '@wardline/client/http/api-error.ts';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { type FormErrors, formErrors, noErrors } from './form-errors.ts';

interface FormInput<Name extends string> {
  /** The fields in the order in which they stand. */
  readonly names: readonly Name[];
  /** What is said at a field that was left empty; one that may be empty is not in it. */
  readonly required?: Partial<Readonly<Record<Name, string>>>;
  /** What is wrong with what was entered, in the words of the labels; asked before it is sent. */
  readonly check?: (values: Readonly<Record<Name, string>>) => Partial<Readonly<Record<Name, string | undefined>>>;
  /** Which field the server means by another name, as `rules.0.days`. */
  readonly fieldOf?: (name: string) => Name | undefined;
  /** Sends what was entered; what it rejects with is said at the fields. */
  readonly send: (values: Readonly<Record<Name, string>>, data: FormData) => Promise<void>;
}

interface Form<Name extends string> {
  /** For the form element. */
  readonly props: {
    readonly ref: RefObject<HTMLFormElement | null>;
    readonly noValidate: true;
    /** Should a browser ever send the form by itself, nothing that was entered lands in an address. */
    readonly method: 'post';
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    readonly onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
  readonly error: FormErrors<Name>;
  readonly isBusy: boolean;
}

/** A form whose fields keep their own text: read when it is sent, with the trouble said where it is. */
export function useForm<Name extends string>({
  names,
  required = {},
  check,
  fieldOf,
  send,
}: FormInput<Name>): Form<Name> {
  const [error, setError] = useState<FormErrors<Name>>(noErrors);
  const [isBusy, setIsBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  // A second press may come before the page is drawn anew.
  const isSending = useRef(false);

  const say = (found: FormErrors<Name>) => {
    setError(found);
    const first = names.find((name) => found.fields[name] !== undefined);
    // The first of a group of checkboxes.
    ref.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const forget = () => setError((said) => ({ ...said, general: null }));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A form in a dialog is, for React, inside the page's own.
    event.stopPropagation();
    if (isSending.current) return;
    const data = new FormData(event.currentTarget);
    const values = readFields(data, names);
    const fields = { ...check?.(values), ...whatIsMissing(values, required) } as FormErrors<Name>['fields'];
    say({ fields, general: null });
    if (names.some((name) => fields[name] !== undefined)) return;
    isSending.current = true;
    setIsBusy(true);
    try {
      await send(values, data);
    } catch (error) {
      say(formErrors(error, names, fieldOf));
      // Then it can be sent: that it could not is no longer so.
      if (isTemporary(error)) window.addEventListener('online', forget, { once: true });
    } finally {
      isSending.current = false;
      setIsBusy(false);
    }
  };
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const name = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.name : '';
    if (names.some((known) => known === name && error.fields[known] !== undefined))
      setError({ ...error, fields: { ...error.fields, [name]: undefined } });
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => void submit(event);
  return { props: { ref, noValidate: true, method: 'post', onSubmit, onInput }, error, isBusy };
}

function readFields<Name extends string>(data: FormData, names: readonly Name[]): Record<Name, string> {
  const textOf = (name: Name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<Name, string>;
}

function whatIsMissing<Name extends string>(
  values: Readonly<Record<Name, string>>,
  required: Partial<Readonly<Record<Name, string>>>,
): Partial<Record<Name, string>> {
  const missing: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(values) as Name[]) {
    const text = required[name];
    if (text !== undefined && values[name].trim() === '') missing[name] = text;
  }
  return missing;
}
