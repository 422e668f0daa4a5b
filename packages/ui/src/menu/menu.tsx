import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import { type ReactElement, type ReactNode, useContext } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';
import { Link } from '#/link/link.tsx';
import { Kbd } from '#/mark/kbd.tsx';
import { MenuOpensAtOnce } from './menu-opens-at-once.ts';

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  align?: 'start' | 'center' | 'end' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** Once it is gone; prevent the default to give the focus to something else than the button. */
  onCloseAutoFocus?: ((event: Event) => void) | undefined;
};

/** A menu under its button: arrow keys, first letters, Escape. */
export function Menu(props: MenuProps) {
  const { trigger, children, side = 'bottom', align = 'start', open, onOpenChange, onCloseAutoFocus } = props;
  const opensAtOnce = useContext(MenuOpensAtOnce);
  // Not modal: the modal kind locks scrolling with a style element, which the content policy refuses.
  return (
    <Primitive.Root
      modal={false}
      defaultOpen={opensAtOnce}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className="menu float"
          {...{ side, align }}
          sideOffset={4}
          collisionPadding={8}
          loop
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export type MenuItemProps = {
  icon?: LucideIcon | undefined;
  keys?: readonly string[] | undefined;
  isDanger?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** With it the item is a link. */
  href?: string | undefined;
  onSelect?: (() => void) | undefined;
  children: ReactNode;
};

/** One thing to do, or with `href` one place to go to. */
export function MenuItem({ icon, keys, isDanger, isDisabled = false, href, onSelect, children }: MenuItemProps) {
  const content = (
    <>
      {icon && <Icon of={icon} />}
      <span className="grow">{children}</span>
      {keys && <Kbd keys={keys} />}
    </>
  );
  return (
    <Primitive.Item
      className={classNames('menu-item', isDanger && 'c-error')}
      disabled={isDisabled}
      onSelect={() => onSelect?.()}
      asChild={href !== undefined}
    >
      {href === undefined ? content : <Link href={href}>{content}</Link>}
    </Primitive.Item>
  );
}

export type MenuChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: string; icon?: LucideIcon }>;
};

/** One of a few, inside a menu; the chosen one has a tick. */
export function MenuChoice<Value extends string>({ label, value, onValueChange, choices }: MenuChoiceProps<Value>) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <Primitive.RadioGroup
        aria-label={label}
        value={value}
        onValueChange={(next) => {
          const choice = choices.find((candidate) => candidate.value === next);
          if (choice) onValueChange(choice.value);
        }}
      >
        {choices.map((choice) => (
          <Primitive.RadioItem className="menu-item" key={choice.value} value={choice.value}>
            {choice.icon && <Icon of={choice.icon} />}
            <span className="grow">{choice.label}</span>
            <span className="menu-tick">{choice.value === value && <Icon of={Check} />}</span>
          </Primitive.RadioItem>
        ))}
      </Primitive.RadioGroup>
    </>
  );
}

/** A quiet line over a group of items. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="menu-label">{children}</Primitive.Label>;
}

/** Items of one kind under a quiet line; two beside each other on a phone, so that what follows them is in view. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Primitive.Group aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      <div className="menu-pairs">{children}</div>
    </Primitive.Group>
  );
}

/** A hairline between groups. */
export function MenuSeparator() {
  return <Primitive.Separator className="menu-line" />;
}
