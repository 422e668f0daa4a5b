import { ChevronsUpDown, Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Avatar } from '#/avatar/avatar.tsx';
import { classNames } from '#/class-names.ts';
import { ariaCurrent, type NavItem } from '#/frame/nav-item.ts';
import { Icon } from '#/icon/icon.tsx';
import { Link } from '#/link/link.tsx';
import { Dot, type Tone } from '#/mark/dot.tsx';
import { Kbd } from '#/mark/kbd.tsx';
import { Pill } from '#/mark/pill.tsx';
import { Tooltip } from '#/tooltip/tooltip.tsx';

// The parts of the rail. In the slim rail `rail-text` is only said and `rail-extra` is gone; the style sheet does it.

type ButtonRest = Omit<ComponentProps<'button'>, 'type' | 'children' | 'className'>;

export type RailNavProps = { label: string; items: readonly NavItem[]; isSlim: boolean };

/** The list of pages in the rail. */
export function RailNav({ label, items, isSlim }: RailNavProps) {
  return (
    <nav className="nav" aria-label={label}>
      {items.map((item) => (
        <RailEntry item={item} isSlim={isSlim} key={item.href} />
      ))}
    </nav>
  );
}

function RailEntry({ item, isSlim }: { item: NavItem; isSlim: boolean }) {
  const link = (
    <Link href={item.href} {...ariaCurrent(item.current)}>
      <Icon of={item.icon} />
      <span className="grow rail-text">{item.label}</span>
      {item.badge && <Pill {...item.badge} />}
    </Link>
  );
  return (
    <>
      {isSlim ? (
        <Tooltip content={item.label} side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {item.children && item.children.length > 0 && (
        <div className="nav-sub">
          {item.children.map((child) => (
            <Link href={child.href} key={child.href} {...ariaCurrent(child.current)}>
              {child.label}
            </Link>
          ))}
        </div>
      )}
    </>
  );
}

export type RailSwitchProps = ButtonRest & { code: string; name: string; detail?: string | undefined };

/** The button that says where one is (a code of two letters, a name, a detail) and opens the choice. */
export function RailSwitch({ code, name, detail, ...rest }: RailSwitchProps) {
  return (
    <button {...rest} type="button" className="fac">
      <span className="code" aria-hidden="true">
        {code}
      </span>
      <span className="grow rail-text">
        <span className="rail-line medium strong">{name}</span>
        {detail !== undefined && <span className="rail-line t12 muted">{detail}</span>}
      </span>
      <Icon of={ChevronsUpDown} className="rail-extra" />
    </button>
  );
}

export type RailSearchProps = ButtonRest & { label: string; keys?: readonly string[] | undefined };

/** The button that opens search and commands. */
export function RailSearch({ label, keys, ...rest }: RailSearchProps) {
  return (
    <button {...rest} type="button" className="nav-find">
      <Icon of={Search} />
      <span className="grow rail-text">{label}</span>
      {keys && (
        <span className="rail-extra">
          <Kbd keys={keys} />
        </span>
      )}
    </button>
  );
}

export type RailStatusProps = ButtonRest & { tone: Tone; label: string };

/** A quiet dot and its word. With `onClick` it opens what lies behind. */
export function RailStatus({ tone, label, onClick, ...rest }: RailStatusProps) {
  const content = (
    <>
      <Dot tone={tone} />
      <span className="rail-text" role="status">
        {label}
      </span>
    </>
  );
  if (onClick === undefined) return <div className="conn">{content}</div>;
  return (
    <button {...rest} type="button" className="conn" onClick={onClick}>
      {content}
    </button>
  );
}

export type RailAccountProps = ButtonRest & {
  name: string;
  detail?: string | undefined;
  src?: string | undefined;
  srcSet?: string | undefined;
  /** Only the avatar, for a top bar on the phone. */
  isCompact?: boolean | undefined;
};

/** The button with one's own name that opens the account's menu. */
export function RailAccount({ name, detail, src, srcSet, isCompact = false, ...rest }: RailAccountProps) {
  return (
    <button {...rest} type="button" className={isCompact ? 'btn btn-ghost is-neutral btn-icon' : 'me'}>
      <Avatar alt={name} src={src} srcSet={srcSet} />
      <span className={classNames('grow', isCompact ? 'sr' : 'rail-text')}>
        <span className="rail-line medium strong t13">{name}</span>
        {detail !== undefined && <span className="rail-line t12 muted">{detail}</span>}
      </span>
    </button>
  );
}
