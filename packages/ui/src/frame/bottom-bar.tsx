import { ariaCurrent, type NavItem } from '#/frame/nav-item.ts';
import { Icon } from '#/icon/icon.tsx';
import { Link } from '#/link/link.tsx';
import { Pill } from '#/mark/pill.tsx';

export type BottomBarProps = { label: string; items: readonly NavItem[] };

/** The phone's navigation: the same entries as the rail. */
export function BottomBar({ label, items }: BottomBarProps) {
  return (
    <nav className="bottombar" aria-label={label}>
      {items.map((item) => (
        <Link href={item.href} key={item.href} {...ariaCurrent(item.current)}>
          <Icon of={item.icon} />
          <span className="bottombar-word">{item.label}</span>
          {item.badge && <Pill {...item.badge} />}
        </Link>
      ))}
    </nav>
  );
}
