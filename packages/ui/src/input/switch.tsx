import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';

export type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'size' | 'children'> & {
  label: ReactNode;
  /** The label is only said: in a table, where the row's and the column's heads show it. */
  isLabelHidden?: boolean | undefined;
  help?: ReactNode;
};

/** On or off, in effect at once. The words are part of the target. */
export function Switch({ label, isLabelHidden = false, help, className, ...rest }: SwitchProps) {
  const helpId = useId();
  const hasHelp = isGiven(help) && !isLabelHidden;
  const control = (
    <label className={classNames('check', isLabelHidden && 'check-bare', isLabelHidden && className)}>
      <input
        {...rest}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a box to tick tells its own state
        role="switch"
        className="switch"
        {...(hasHelp ? { 'aria-describedby': helpId } : {})}
      />
      <span className={isLabelHidden ? 'sr' : undefined}>{label}</span>
    </label>
  );
  if (isLabelHidden) return control;
  return (
    <div className={classNames('stack stack-1', className)}>
      {control}
      <FieldNote id={helpId} help={help} />
    </div>
  );
}
