import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '#/class-names.ts';
import { Field, type FieldText } from '#/field/field.tsx';
import { Icon } from '#/icon/icon.tsx';

export type SelectOption<Value extends string = string> = {
  value: Value;
  label: string;
  isDisabled?: boolean | undefined;
};

export type SelectProps<Value extends string = string> = Omit<
  ComponentProps<'select'>,
  'size' | 'multiple' | 'value' | 'onChange' | 'children'
> &
  FieldText & {
    options: ReadonlyArray<SelectOption<Value>>;
    value: Value | '';
    onValueChange: (value: Value) => void;
    /** Stands there while nothing is chosen. */
    placeholder?: string | undefined;
    inputSize?: 'sm' | 'md' | 'lg' | undefined;
  };

/** One of several, by the browser's own list, which every keyboard, screen reader and phone knows. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, help, error, labelAside, isLabelHidden, id, className, ...control } = props;
  const { options, value, onValueChange, placeholder, inputSize = 'md', ...rest } = control;
  return (
    <Field {...{ label, help, error, labelAside, isLabelHidden, id }}>
      {(wired) => (
        <div className="select-wrap">
          <select
            {...rest}
            {...wired}
            className={classNames('select', inputSize !== 'md' && `input-${inputSize}`, className)}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen) onValueChange(chosen.value);
            }}
          >
            {placeholder !== undefined && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon of={ChevronsUpDown} />
        </div>
      )}
    </Field>
  );
}
