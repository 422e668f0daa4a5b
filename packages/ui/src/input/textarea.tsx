import type { ComponentProps } from 'react';
import { classNames } from '#/class-names.ts';
import { Field, type FieldText } from '#/field/field.tsx';

export type TextareaProps = ComponentProps<'textarea'> & FieldText;

/** Several lines of text in a field. Every other prop goes to the textarea. */
export function Textarea(props: TextareaProps) {
  const { label, help, error, labelAside, isLabelHidden, id, className, ...rest } = props;
  return (
    <Field {...{ label, help, error, labelAside, isLabelHidden, id }}>
      {(control) => <textarea {...rest} {...control} className={classNames('textarea', className)} />}
    </Field>
  );
}
