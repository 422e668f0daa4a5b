import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type BadgeTone = 'neutral' | 'primary' | 'info' | 'success' | 'warning' | 'error' | 'line' | 'solid-error';

export type BadgeProps = {
  tone?: BadgeTone | undefined;
  /** A clinical tone (success, warning, error) has a glyph beside its word. */
  icon?: LucideIcon | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** One word of state. */
export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span className={classNames('badge', tone !== 'neutral' && `badge-${tone}`, className)}>
      {icon && <Icon of={icon} />}
      {children}
    </span>
  );
}
