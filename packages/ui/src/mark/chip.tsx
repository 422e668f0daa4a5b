import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type ChipProps = Omit<ComponentProps<'button'>, 'type' | 'aria-pressed' | 'children'> & {
  /** Whether the filter is on; leave it out for a chip that opens a menu. */
  isPressed?: boolean | undefined;
  icon?: LucideIcon | undefined;
  trailingIcon?: LucideIcon | undefined;
  /** Null keeps the place of a number that is not known yet. */
  count?: number | null | undefined;
  size?: 'sm' | 'md' | undefined;
  children: ReactNode;
};

/** A filter that is on or off. Several stand in a `div.chips` (`one-line` scrolls them on the phone). */
export function Chip(props: ChipProps) {
  const { isPressed, icon, trailingIcon, count, size = 'md', className, children, ...rest } = props;
  return (
    <button
      {...rest}
      type="button"
      className={classNames('chip', size === 'sm' && 'chip-sm', className)}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
    >
      {icon && <Icon of={icon} size="sm" />}
      {children}
      {count !== undefined && <span className="chip-count">{count ?? '\u2007'}</span>}
      {trailingIcon && <Icon of={trailingIcon} size="sm" />}
    </button>
  );
}
