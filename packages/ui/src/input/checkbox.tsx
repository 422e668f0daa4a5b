import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '#/class-names.ts';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'children'> & {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  /** Drawn and announced as a switch: takes effect at once. */
  isSwitch?: boolean | undefined;
};

/** A box to tick (or a switch) with its words; the words are part of the target. */
export function Checkbox({ label, help, error, isSwitch = false, className, ...rest }: CheckboxProps) {
  const noteId = useId();
  const hasError = error !== undefined && error !== null && error !== false && error !== '';
  const note = hasError ? error : help;
  const hasNote = note !== undefined && note !== null;
  return (
    <div className={classNames('stack stack-1', className)}>
      <label className="check">
        <input
          {...rest}
          type="checkbox"
          {...(isSwitch ? { role: 'switch', className: 'switch' } : {})}
          {...(hasNote ? { 'aria-describedby': noteId } : {})}
          {...(hasError ? { 'aria-invalid': true } : {})}
        />
        <span>{label}</span>
      </label>
      {hasNote && (
        <span className={classNames('help', hasError && 'is-bad')} id={noteId}>
          {note}
        </span>
      )}
    </div>
  );
}
