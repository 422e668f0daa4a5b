import { useRef } from 'react';
import { classNames } from '#/class-names.ts';
import { Link } from '#/link/link.tsx';
import { useOpenInView } from './use-open-in-view.ts';

export interface LinkTabsProps {
  /** The accessible name of the way between the pages. */
  readonly label: string;
  readonly pages: ReadonlyArray<{ readonly href: string; readonly label: string }>;
  /** The address of the open one. */
  readonly open: string;
  readonly className?: string | undefined;
}

/** The way between pages that belong together; none where there is but one. */
export function LinkTabs({ label, pages, open, className }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  useOpenInView(row);
  if (pages.length < 2) return null;
  return (
    <nav ref={row} className={classNames('tabs', className)} aria-label={label}>
      {pages.map((page) => (
        <Link key={page.href} href={page.href} className="tab" aria-current={page.href === open ? 'page' : undefined}>
          {page.label}
        </Link>
      ))}
    </nav>
  );
}
