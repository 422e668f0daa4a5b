import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Logo } from '@wardline/ui/logo/logo.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useProductName } from '#/shared/navigation/page-title.ts';

interface AuthPageProps {
  readonly title: string;
  /** What needs the network, said while there is none: 'Signing in'. */
  readonly work?: string;
  /** Why one is here, over the card. */
  readonly notice?: ReactNode;
  /** Under the card, where else to go. */
  readonly foot?: ReactNode;
  /** The title takes the focus: it says that something was done. */
  readonly isAnswer?: boolean;
  readonly children: ReactNode;
}

/** The layout of the pages for guests: the mark, one card, and the ways out under it. */
export function AuthPage({ title, work, notice, foot, isAnswer = false, children }: AuthPageProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isOnline = useOnline();
  useLayoutEffect(() => {
    if (isAnswer) heading.current?.focus();
  }, [isAnswer]);
  return (
    <main className="in" id="main">
      <div className="in-col">
        <Link className="brand in-brand" href="/">
          <Logo />
          <span>{useProductName()}</span>
        </Link>
        {notice}
        {work !== undefined && !isOnline && (
          <Banner tone="neutral" icon={CloudOff} title="Offline.">
            {work} needs the network.
          </Banner>
        )}
        <Card className="in-card" role="group" aria-labelledby={titleId}>
          <h1 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </Card>
      </div>
      <footer className="in-foot">
        <Link href="/about">About</Link>
        <Link href="/contacts">Contacts</Link>
        {foot}
      </footer>
    </main>
  );
}
