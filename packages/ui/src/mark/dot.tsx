import { classNames } from '#/class-names.ts';

export type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'error';

export type DotProps = {
  tone?: Tone | undefined;
  /** Said by a screen reader; leave it out where the word stands beside the dot. */
  label?: string | undefined;
};

/** A dot of state. Never the only sign: a word goes with it, seen or said. */
export function Dot({ tone = 'neutral', label }: DotProps) {
  const classes = classNames('dot', tone !== 'neutral' && `dot-${tone}`);
  if (label === undefined) return <span className={classes} aria-hidden="true" />;
  return <span className={classes} role="img" aria-label={label} />;
}
