import { Button } from '@wardline/ui/button/button.tsx';
import { SkipLink } from '@wardline/ui/frame/skip-link.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Logo } from '@wardline/ui/logo/logo.tsx';
import type { ReactNode } from 'react';

interface PublicLayoutProps {
  readonly productName: string;
  readonly isSignedIn: boolean;
  /** The path shown, to mark it in the navigation. */
  readonly path: string;
  readonly children: ReactNode;
}

const links = [
  { href: '/about', label: 'About' },
  { href: '/contacts', label: 'Contacts' },
] as const;

/** Head and foot around the pages that everybody may read. */
export function PublicLayout({ productName, isSignedIn, path, children }: PublicLayoutProps) {
  const pages = links.map(({ href, label }) => (
    <Link key={href} href={href} {...(path === href ? { 'aria-current': 'page' } : {})}>
      {label}
    </Link>
  ));
  return (
    <div className="pub">
      <SkipLink />
      <header className="pub-head">
        <div className="pub-in">
          <Link className="pub-brand" href="/">
            <Logo />
            <span className="clip">{productName}</span>
          </Link>
          <nav className="pub-nav" aria-label="Pages">
            {pages}
          </nav>
          <EntryButton isSignedIn={isSignedIn} />
        </div>
      </header>
      <main className="pub-main" id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="pub-foot">
        <div className="pub-in">
          <p>{productName} is run by your hospital.</p>
          <nav className="pub-nav" aria-label="Pages, bottom">
            {pages}
          </nav>
        </div>
      </footer>
    </div>
  );
}

/** The way in: to sign in, or straight on for who already is. */
export function EntryButton({ isSignedIn, isLarge = false }: { isSignedIn: boolean; isLarge?: boolean }) {
  return (
    <Button asChild size={isLarge ? 'xl' : 'md'}>
      {isSignedIn ? <Link href="/dashboard">Open dashboard</Link> : <Link href="/sign-in">Sign in</Link>}
    </Button>
  );
}
