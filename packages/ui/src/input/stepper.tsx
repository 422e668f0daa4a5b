import { Minus, Plus } from 'lucide-react';
import type { ComponentProps } from 'react';
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
  const { onKeyDown, onFocus, ...input } = rest;
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
        onKeyDown={(event) => {
          onKeyDown?.(event);
          const by = event.key === '+' ? 1 : event.key === '-' ? -1 : null;
          if (by === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          onStep(by);
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
