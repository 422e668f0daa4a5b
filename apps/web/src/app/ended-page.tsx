import { useLocation } from '@tanstack/react-router';
import { Button } from '@wardline/ui/button/button.tsx';

/** In place of a page whose session has ended, where the configuration says to stay (AUTH-2). */
export function EndedPage() {
  const href = useLocation({ select: (location) => location.href });
  return (
    <main className="page-err" id="main" tabIndex={-1}>
      <h1>Your session ended</h1>
      <p>Your draft is kept. Sign in again to continue.</p>
      <Button asChild size="lg">
        {/* A full load: the page asks anew who is here. */}
        <a href={`/sign-in?redirect=${encodeURIComponent(href)}`}>Sign in</a>
      </Button>
    </main>
  );
}
