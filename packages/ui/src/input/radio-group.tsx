import { type ReactNode, useId } from 'react';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';

export type RadioChoice<Value extends string> = {
  value: Value;
  label: ReactNode;
  help?: ReactNode;
  isDisabled?: boolean | undefined;
};

export type RadioGroupProps<Value extends string> = {
  label: ReactNode;
  isLabelHidden?: boolean | undefined;
  help?: ReactNode;
  error?: ReactNode;
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  choices: ReadonlyArray<RadioChoice<Value>>;
  /** Side by side where there is room. */
  isInline?: boolean | undefined;
};

/** One of a few, all in view. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { value, onValueChange, choices, isInline = false, ...text } = props;
  const name = useId();
  return (
    <RadioFieldset {...text}>
      <div className={isInline ? 'row wrap row-4' : 'stack stack-1'}>
        {choices.map((choice) => (
          <label className={classNames('check', choice.help !== undefined && 'has-help')} key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.isDisabled}
              onChange={() => onValueChange(choice.value)}
            />
            <span>
              {choice.label}
              {choice.help !== undefined && <span className="help check-help">{choice.help}</span>}
            </span>
          </label>
        ))}
      </div>
    </RadioFieldset>
  );
}

export type RadioCardsProps<Value extends string> = Omit<RadioGroupProps<Value>, 'choices' | 'isInline'> & {
  choices: ReadonlyArray<RadioChoice<Value> & { picture: ReactNode }>;
};

/** One of a few, each with a picture of what it means; the picture is part of the target. */
export function RadioCards<Value extends string>({ value, onValueChange, choices, ...text }: RadioCardsProps<Value>) {
  const name = useId();
  return (
    <RadioFieldset {...text}>
      <div className="radio-cards">
        {choices.map((choice) => (
          <label className="radio-card" key={choice.value}>
            <span className="radio-picture" aria-hidden="true">
              {choice.picture}
            </span>
            <span className="check">
              <input
                type="radio"
                name={name}
                value={choice.value}
                checked={choice.value === value}
                disabled={choice.isDisabled}
                onChange={() => onValueChange(choice.value)}
              />
              <span className="medium">
                {choice.label}
                {choice.help !== undefined && <span className="help check-help">{choice.help}</span>}
              </span>
            </span>
          </label>
        ))}
      </div>
    </RadioFieldset>
  );
}

type RadioFieldsetProps = {
  label: ReactNode;
  isLabelHidden?: boolean | undefined;
  help?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
};

function RadioFieldset({ label, isLabelHidden = false, help, error, children }: RadioFieldsetProps) {
  const noteId = useId();
  const hasNote = isGiven(error) || isGiven(help);
  return (
    <fieldset
      className="field"
      data-invalid={isGiven(error) ? '' : undefined}
      {...(hasNote ? { 'aria-describedby': noteId } : {})}
    >
      <legend className={isLabelHidden ? 'sr' : 'label'}>{label}</legend>
      {children}
      <FieldNote id={noteId} help={help} error={error} />
    </fieldset>
  );
}
