import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { Avatar } from '#/avatar/avatar.tsx';
import { ariaCurrent, type Current } from '#/frame/nav-item.ts';
import { Icon } from '#/icon/icon.tsx';
import { Link } from '#/link/link.tsx';
import { useOpenInView } from '#/tabs/use-open-in-view.ts';

export type SettingsNavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  current?: Current | undefined;
};

export type SettingsLayoutProps = {
  /** Names the list of sections for a screen reader. */
  label: string;
  items: readonly SettingsNavItem[];
  /** `SettingsSection`s. */
  children: ReactNode;
};

/** The sections of a long form: their list at the left, on a narrow window a line that scrolls above them. */
export function SettingsLayout({ label, items, children }: SettingsLayoutProps) {
  const row = useRef<HTMLElement>(null);
  useOpenInView(row);
  return (
    <div className="settings">
      <nav ref={row} className="settings-nav" aria-label={label}>
        {items.map((item) => (
          <Link
            href={item.href}
            key={item.href}
            {...ariaCurrent(item.current)}
            // The page brings the section into view; the keyboard goes on from there too.
            onClick={() => document.getElementById(item.href.split('#')[1] ?? '')?.focus({ preventScroll: true })}
          >
            <Icon of={item.icon} />
            {item.label}
          </Link>
        ))}
      </nav>
      <div className="settings-column">{children}</div>
    </div>
  );
}

export type SettingsSectionProps = {
  /** Where the list of sections leads. */
  id: string;
  title: ReactNode;
  /** Under the title: what the section is for. */
  text?: ReactNode;
  /** At the right end of the title: a button for the whole section. */
  action?: ReactNode;
  /** Can be read, not changed. */
  isDisabled?: boolean | undefined;
  /** One or more `Card`s. */
  children: ReactNode;
};

/** One section: its title and text, and the cards under them. */
export function SettingsSection({ id, title, text, action, isDisabled = false, children }: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section className="settings-section" id={id} aria-labelledby={titleId} tabIndex={-1}>
      <fieldset disabled={isDisabled}>
        <div className="settings-head">
          <h2 id={titleId}>{title}</h2>
          {action}
          {text !== undefined && <p>{text}</p>}
        </div>
        {children}
      </fieldset>
    </section>
  );
}

export type SettingsRowProps = {
  icon?: LucideIcon | undefined;
  title: ReactNode;
  /** Beside the title: a badge. */
  mark?: ReactNode;
  text?: ReactNode;
  /** At the right end: a switch, a button, a badge. */
  children?: ReactNode;
};

/** One setting with its words at the left and its control at the right; several stand in a `Card isList` or a list in it. */
export function SettingsRow({ icon, title, mark, text, children }: SettingsRowProps) {
  return (
    <div className="lrow settings-row">
      {icon && <Avatar alt="" icon={icon} size={40} />}
      <div className="lrow-body">
        <p className="row wrap">
          <span className="medium strong">{title}</span>
          {mark}
        </p>
        {text !== undefined && <div className="t13 muted">{text}</div>}
      </div>
      {children !== undefined && <div className="lrow-end">{children}</div>}
    </div>
  );
}
