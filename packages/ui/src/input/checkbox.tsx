import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'children'> & {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
};

/** A box to tick with its words; the words are part of the target. What takes effect at once is a `Switch`. */
export function Checkbox({ label, help, error, className, ...rest }: CheckboxProps) {
  const noteId = useId();
  const hasError = isGiven(error);
  const hasNote = hasError || isGiven(help);
  return (
    <div className={classNames('stack stack-1', className)}>
      <label className="check">
        <input
          {...rest}
          type="checkbox"
          {...(hasNote ? { 'aria-describedby': noteId } : {})}
          {...(hasError ? { 'aria-invalid': true } : {})}
        />
        <span>{label}</span>
      </label>
      <FieldNote id={noteId} help={help} error={error} />
    </div>
  );
}
