import { parseCount } from '@wardline/census/balance.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Stepper } from '@wardline/ui/input/stepper.tsx';
import type { KeyboardEvent, ReactNode } from 'react';
import type { NumberField } from './engine/report-draft.ts';
import { findingsOf } from './engine/report-findings.ts';
import {
  canBeNone,
  focusFirst,
  focusOnSubmit,
  inputId,
  moveFocus,
  stepped,
  useReport,
  writeNumber,
} from './engine/report-view.ts';

interface CountRowProps {
  readonly field: NumberField;
  readonly label: string;
  readonly sign?: '+' | '−' | undefined;
  readonly hint?: ReactNode;
  /** Not counted in this report: births outside the newborn. */
  readonly isOff?: boolean;
  /** A part of the line above it. */
  readonly isPart?: boolean;
  readonly isHeadCount?: boolean;
}

/** One field of the sheet: Enter and Down go on, Up goes back, + and − step. */
export function CountRow({ field, label, hint, isOff = false, ...look }: CountRowProps) {
  const { state, editor, isEditable, errorOf, leave } = useReport();
  const text = state.draft.numbers[field];
  const error = errorOf(field);
  const write = (value: string) => editor.change(writeNumber(field, value));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && text.trim() === '' && canBeNone(field)) write('0');
    if (event.key === 'Enter' && look.isHeadCount) return finish(event);
    stepFocus(event);
  };
  // The head count ends a normal day: what is missing comes next, else the submission.
  const finish = (event: KeyboardEvent) => {
    event.preventDefault();
    const missing = findingsOf(state.draft, state.day, true);
    if (missing.length === 0) focusOnSubmit();
    else focusFirst(missing);
  };
  return (
    <SheetRow {...look} field={field} label={label} hint={hint} error={error}>
      {isEditable ? (
        <Stepper
          id={inputId(field)}
          name={label.toLowerCase()}
          value={text}
          disabled={isOff}
          data-step=""
          enterKeyHint={look.isHeadCount ? 'done' : 'next'}
          aria-describedby={`${inputId(field)}-note`}
          {...(error === undefined ? {} : { 'aria-invalid': true })}
          onValueChange={write}
          onStep={(by) => write(stepped(text, by, field))}
          onBlur={() => leave(field)}
          onKeyDown={onKeyDown}
        />
      ) : (
        <Told text={text} field={field} />
      )}
    </SheetRow>
  );
}

/** Enter and the arrows go from field to field. */
export function stepFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'Enter' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
  if (by === null) return;
  event.preventDefault();
  moveFocus(event.currentTarget, by);
}

/** A count that cannot be changed now. */
export function Told({ text, field }: { text: string; field: string }) {
  return (
    <output className="sheet-told num" id={inputId(field)}>
      {parseCount(text, field) ?? '–'}
    </output>
  );
}

interface SheetRowProps extends Pick<CountRowProps, 'sign' | 'label' | 'hint' | 'isPart' | 'isHeadCount'> {
  readonly field: string;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Sign, label and words of a line of the sheet, with its count at the right. */
export function SheetRow({ sign, field, label, hint, error, isPart, isHeadCount, children }: SheetRowProps) {
  const look = [isPart && 'is-part', isHeadCount && 'is-head-count'].filter(Boolean).join(' ');
  return (
    <div className={`sheet-row ${look}`}>
      <span className="movement-sign num" aria-hidden="true">
        {sign}
      </span>
      <div className="grow">
        <label className="sheet-label" htmlFor={inputId(field)}>
          {label}
        </label>
        <FieldNote id={`${inputId(field)}-note`} help={hint} error={error} />
      </div>
      {children}
    </div>
  );
}
