import type { LucideIcon } from 'lucide-react';
import { classNames } from '#/class-names.ts';

export type IconSize = 'sm' | 'md' | 'lg' | 'xl';

export type IconProps = {
  of: LucideIcon;
  /** sm 14, md 16 (default), lg 20, xl 28 px. */
  size?: IconSize | undefined;
  /** Said by a screen reader; without it the glyph is decoration. */
  label?: string | undefined;
  className?: string | undefined;
};

/** A glyph of the icon set in the kit's sizes and stroke. */
export function Icon({ of: Glyph, size = 'md', label, className }: IconProps) {
  const classes = classNames('i', size !== 'md' && `i-${size}`, className);
  if (label === undefined) return <Glyph className={classes} strokeWidth={1.75} size={16} aria-hidden="true" />;
  return <Glyph className={classes} strokeWidth={1.75} size={16} role="img" aria-label={label} />;
}
