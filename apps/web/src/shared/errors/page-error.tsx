import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import type { ReactNode } from 'react';

/** A page that says why there is nothing here: 403, 404. */
export function PageError({ code, title, children }: { code: string; title: string; children?: ReactNode }) {
  return (
    <main className="page-err" id="main" tabIndex={-1}>
      <p className="page-err-code">{code}</p>
      <h1>{title}</h1>
      {children}
      <Button asChild size="lg">
        <Link href="/">Go to homepage</Link>
      </Button>
    </main>
  );
}
