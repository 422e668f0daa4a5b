import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { Link } from '#/link/link.tsx';

export type Back = {
  href: string;
  label: string;
  /** For what a link alone can't do. */
  onClick?: ComponentProps<'a'>['onClick'];
};

export type TopBarProps = {
  title: ReactNode;
  /** Beside the title, on the phone under it. */
  context?: ReactNode;
  /** An arrow before the title, on the phone only. */
  back?: Back | undefined;
  /** At the right end, the page's primary action last. */
  actions?: ReactNode;
};

/** The bar over a page, with its only h1. */
export function TopBar({ title, context, back, actions }: TopBarProps) {
  return (
    <header className={classNames('topbar', back && 'has-back')}>
      {back && <BackArrow {...back} />}
      <div className="topbar-text">
        <h1>{title}</h1>
        {context !== undefined && <div className="ctx">{context}</div>}
      </div>
      {actions !== undefined && <div className="acts">{actions}</div>}
    </header>
  );
}

/** The way out of a stack, seen under 768 px only. */
export function BackArrow({ href, label, onClick }: Back) {
  return (
    <Button
      className="only-phone"
      asChild
      variant="ghost"
      color="neutral"
      iconOnly
      icon={ArrowLeft}
      iconSize="lg"
      label={label}
    >
      <Link href={href} {...(onClick && { onClick })} />
    </Button>
  );
}
