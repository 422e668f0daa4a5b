import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Field, type FieldText } from '#/field/field.tsx';
import { Icon } from '#/icon/icon.tsx';

export type TextInputProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldText & {
    /** md 36 px, lg 40 px; both 44 px on touch. */
    inputSize?: 'md' | 'lg' | undefined;
    icon?: LucideIcon | undefined;
    /** A small button at the right end, inside the box. */
    trailing?: ReactNode;
  };

/** One line of text in a field. Every other prop goes to the input. */
export function TextInput(props: TextInputProps) {
  const {
    label,
    help,
    error,
    labelAside,
    isLabelHidden,
    inputSize = 'md',
    icon,
    trailing,
    id,
    className,
    ...rest
  } = props;
  return (
    <Field {...{ label, help, error, labelAside, isLabelHidden, id }}>
      {(control) => {
        const input = (
          <input {...rest} {...control} className={classNames('input', inputSize === 'lg' && 'input-lg', className)} />
        );
        if (!icon && trailing === undefined) return input;
        return (
          <div className={classNames('input-wrap', icon && 'lead', trailing !== undefined && 'trail')}>
            {icon && <Icon of={icon} />}
            {input}
            {trailing}
          </div>
        );
      }}
    </Field>
  );
}
