import { Check } from 'lucide-react';
import { Icon } from '#/icon/icon.tsx';

export type StepsProps = {
  /** The accessible name of the list. */
  label: string;
  steps: readonly string[];
  /** The index of the step one is at; the number of steps when all are done. */
  current: number;
};

/** Where one is in a form of several pages. */
export function Steps({ label, steps, current }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < current ? 'is-done' : undefined}
          {...(index === current ? { 'aria-current': 'step' as const } : {})}
        >
          <span className="step-mark" aria-hidden="true">
            {index < current ? <Icon of={Check} size="sm" /> : index + 1}
          </span>
          <span>
            {step}
            {index < current && <span className="sr">, done</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
