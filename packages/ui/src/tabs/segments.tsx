import { type ReactNode, useId } from 'react';

export type SegmentsProps<Value extends string> = {
  /** The accessible name of the group. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: ReactNode }>;
};

/** Two to four ways to see the same thing; arrow keys move, the chosen one shows at once. */
export function Segments<Value extends string>({ label, value, onValueChange, choices }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="seg">
      <legend className="sr">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            className="sr"
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onValueChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
