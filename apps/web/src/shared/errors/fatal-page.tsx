import { Button } from '@wardline/ui/button/button.tsx';
import { useErrorTitle } from '#/shared/navigation/page-title.ts';

/** The page in place of all others when something broke. */
export function FatalPage({ error }: { error: unknown }) {
  useErrorTitle();
  return (
    <main className="fatal" id="main" tabIndex={-1}>
      <h1>Oops! An error occurred.</h1>
      <p>Error details:</p>
      <pre className="mono">{error instanceof Error ? error.message : String(error)}</pre>
      <Button asChild size="lg">
        {/* A full load: what broke may be in memory. */}
        <a href="/">Go to homepage</a>
      </Button>
    </main>
  );
}
