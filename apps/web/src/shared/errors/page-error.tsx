import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import type { ReactNode } from 'react';

interface PageErrorProps {
  readonly code: string;
  readonly title: string;
  /** Where it leads on; the homepage unless told. */
  readonly way?: { readonly href: string; readonly label: string };
  readonly children?: ReactNode;
}

const HOMEPAGE = { href: '/', label: 'Go to homepage' };

/** A page that says why there is nothing here: 403, 404. */
export function PageError({ code, title, way = HOMEPAGE, children }: PageErrorProps) {
  return (
    <main className="page-err" id="main" tabIndex={-1}>
      <p className="page-err-code">{code}</p>
      <h1>{title}</h1>
      {children}
      <Button asChild size="lg">
        <Link href={way.href}>{way.label}</Link>
      </Button>
    </main>
  );
}
