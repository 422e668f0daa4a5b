import { Minus, Plus } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useRef } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type StepperProps = Omit<ComponentProps<'input'>, 'value' | 'type' | 'inputMode' | 'onChange' | 'size'> & {
  id: string;
  /** What is counted, as the buttons say it: 'One more, admissions'. */
  name: string;
  value: string;
  onValueChange: (value: string) => void;
  /** One more or one less; the caller knows what that is of a wrong text. */
  onStep: (by: 1 | -1) => void;
};

/**
 * A count with a button for one less and one more; the text between them takes the numeric keypad. + and − step too, and
 * what is typed first replaces what stood there. The label is the caller's.
 */
export function Stepper({ id, name, value, onValueChange, onStep, disabled, className, ...rest }: StepperProps) {
  const { onKeyDown, onFocus, onBlur, ...input } = rest;
  // A sign that stepped: with a digit right after it, '-1' was meant as text, and must not become 1.
  const sign = useRef('');
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const before = sign.current;
    if (event.key !== 'Shift') sign.current = '';
    onKeyDown?.(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (before !== '' && /^[0-9]$/.test(event.key)) {
      event.preventDefault();
      onValueChange(before + event.key);
    }
    if (event.key !== '+' && event.key !== '-') return;
    event.preventDefault();
    sign.current = event.key;
    onStep(event.key === '+' ? 1 : -1);
  };
  return (
    <span className={classNames('stepper', disabled && 'is-off', className)}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`One less, ${name}`}
        disabled={disabled}
        onClick={() => onStep(-1)}
      >
        <Icon of={Minus} />
      </button>
      <input
        autoComplete="off"
        {...input}
        id={id}
        inputMode="numeric"
        value={value}
        disabled={disabled}
        onChange={(event) => onValueChange(event.target.value)}
        onFocus={(event) => {
          event.target.select();
          onFocus?.(event);
        }}
        onKeyDown={onKey}
        onBlur={(event) => {
          sign.current = '';
          onBlur?.(event);
        }}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`One more, ${name}`}
        disabled={disabled}
        onClick={() => onStep(1)}
      >
        <Icon of={Plus} />
      </button>
    </span>
  );
}
