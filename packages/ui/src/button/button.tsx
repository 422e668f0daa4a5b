import type { LucideIcon } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon, type IconSize } from '#/icon/icon.tsx';
import { Spinner } from '#/spinner/spinner.tsx';

export type ButtonSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl';
export type ButtonColor = 'primary' | 'secondary' | 'success' | 'info' | 'warning' | 'error' | 'neutral';
export type ButtonVariant = 'solid' | 'outline' | 'soft' | 'subtle' | 'ghost' | 'link';

type ButtonLook = {
  size?: ButtonSize | undefined;
  color?: ButtonColor | undefined;
  variant?: ButtonVariant | undefined;
  icon?: LucideIcon | undefined;
  trailingIcon?: LucideIcon | undefined;
  /** By default it follows the button's size. */
  iconSize?: IconSize | undefined;
  /** Keeps its place and focus, shows a spinner, takes no click. */
  isLoading?: boolean | undefined;
  isFullWidth?: boolean | undefined;
  /** Renders its only child (a link) with the look of a button. */
  asChild?: boolean | undefined;
};

type ButtonName =
  | { iconOnly?: false | undefined; label?: string | undefined; children: ReactNode }
  /** Without words the label is the accessible name; `children` then is only the link of `asChild`. */
  | { iconOnly: true; label: string; icon: LucideIcon; children?: ReactNode };

export type ButtonProps = Omit<ComponentProps<'button'>, 'color' | 'children' | 'aria-label'> & ButtonLook & ButtonName;

/** A button that says what happens. `type` is 'button' unless told otherwise. */
export function Button(props: ButtonProps) {
  const {
    size = 'md',
    color = 'primary',
    variant = 'solid',
    icon,
    trailingIcon,
    iconSize = size === 'xl' ? 'lg' : size === 'xs' ? 'sm' : 'md',
    isLoading = false,
    isFullWidth = false,
    asChild = false,
    iconOnly = false,
    label,
    children,
    className,
    onClick,
    type,
    disabled = false,
    ...rest
  } = props;

  const isInert = isLoading || (asChild && disabled);
  const guard = (event: MouseEvent<HTMLButtonElement>) => {
    if (isInert) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    onClick?.(event);
  };

  const Root = asChild ? Slot.Root : 'button';
  return (
    <Root
      {...rest}
      {...(asChild ? {} : { type: type ?? 'button', disabled })}
      {...(isInert ? { 'aria-disabled': true } : {})}
      {...(isLoading ? { 'aria-busy': true } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={classNames(
        'btn',
        `btn-${variant}`,
        color !== 'primary' && `is-${color}`,
        size !== 'md' && `btn-${size}`,
        iconOnly && 'btn-icon',
        isFullWidth && 'full',
        className,
      )}
      onClick={guard}
    >
      {isLoading ? <Spinner /> : icon && <Icon of={icon} size={iconSize} />}
      {asChild ? <Slot.Slottable>{children}</Slot.Slottable> : children}
      {trailingIcon && <Icon of={trailingIcon} size={iconSize} />}
    </Root>
  );
}
