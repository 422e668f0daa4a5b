import { classNames } from '#/class-names.ts';

export type SpinnerProps = {
  /** Said by a screen reader; without it the spinner is decoration beside a word. */
  label?: string | undefined;
  size?: 'md' | 'lg' | undefined;
};

/** A turning ring. Never alone for longer than a second: a list shows skeletons instead. */
export function Spinner({ label, size = 'md' }: SpinnerProps) {
  const classes = classNames('spin', size === 'lg' && 'spin-lg');
  if (label === undefined) return <span className={classes} aria-hidden="true" />;
  return <span className={classes} role="status" aria-label={label} />;
}
