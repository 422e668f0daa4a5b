import { classNames } from '#/class-names.ts';

export type PillTone = 'primary' | 'error' | 'quiet';

export type PillProps = {
  count: number;
  /** The whole sentence a screen reader says in place of the number: '6 unread'. */
  label: string;
  tone?: PillTone | undefined;
  /** The largest number shown; above it stands '99+'. */
  max?: number | undefined;
};

/** A count in a pill. Nothing is rendered for zero. */
export function Pill({ count, label, tone = 'primary', max = 99 }: PillProps) {
  if (count <= 0) return null;
  return (
    <span className={classNames('pill', tone !== 'primary' && `pill-${tone}`)}>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
      <span className="sr">{label}</span>
    </span>
  );
}
