import { type ReactNode, useId } from 'react';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';

/** What a control inside a field must carry, ready to be spread. */
export type FieldControl = {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
};

export type FieldText = {
  label: ReactNode;
  /** Stands under the control while there is no error. */
  help?: ReactNode;
  /** What is wrong and how to mend it; marks the control invalid. */
  error?: ReactNode;
  /** At the right end of the label's line, a link for instance. */
  labelAside?: ReactNode;
  /** The label is only said, not shown. */
  isLabelHidden?: boolean | undefined;
};

export type FieldProps = FieldText & {
  /** The control's own id, where the caller needs to know it. */
  id?: string | undefined;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
};

/** Label, control, help and error, wired for assistive technology. */
export function Field({ label, help, error, labelAside, isLabelHidden, id, className, children }: FieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const noteId = `${controlId}-note`;
  const hasError = isGiven(error);
  const hasNote = hasError || isGiven(help);
  const control: FieldControl = {
    id: controlId,
    ...(hasNote ? { 'aria-describedby': noteId } : {}),
    ...(hasError ? { 'aria-invalid': true } : {}),
  };
  const labelElement = (
    <label className={isLabelHidden ? 'sr' : 'label'} htmlFor={controlId}>
      {label}
    </label>
  );
  return (
    <div className={classNames('field', className)}>
      {labelAside === undefined ? (
        labelElement
      ) : (
        <div className="field-head">
          {labelElement}
          <span className="grow" />
          {labelAside}
        </div>
      )}
      {children(control)}
      <FieldNote id={noteId} help={help} error={error} />
    </div>
  );
}
