import type { LucideIcon } from 'lucide-react';
import { Children, type ComponentProps, cloneElement, type MouseEvent, type ReactElement, type ReactNode } from 'react';
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

  const look = {
    ...rest,
    ...(isInert ? { 'aria-disabled': true } : {}),
    ...(isLoading ? { 'aria-busy': true } : {}),
    ...(label === undefined ? {} : { 'aria-label': label }),
    className: classNames(
      'btn',
      `btn-${variant}`,
      color !== 'primary' && `is-${color}`,
      size !== 'md' && `btn-${size}`,
      iconOnly && 'btn-icon',
      isFullWidth && 'full',
      className,
    ),
    onClick: guard,
  };
  const before = isLoading ? <Spinner /> : icon && <Icon of={icon} size={iconSize} />;
  const after = trailingIcon && <Icon of={trailingIcon} size={iconSize} />;
  if (asChild) return lendLook(children, look, [before, after]);
  return (
    <button {...look} type={type ?? 'button'} disabled={disabled}>
      {before}
      {children}
      {after}
    </button>
  );
}

type Look = ComponentProps<'button'>;

/** The only child with the look of a button, around what it holds. */
function lendLook(child: ReactNode, look: Look, [before, after]: readonly ReactNode[]): ReactElement {
  const link = Children.only(child) as ReactElement<Look>;
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    link.props.onClick?.(event);
    look.onClick?.(event);
  };
  const className = classNames(look.className, link.props.className);
  return cloneElement(link, { ...look, ...link.props, onClick, className }, before, link.props.children, after);
}
