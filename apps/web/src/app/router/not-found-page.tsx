import { useLocation } from '@tanstack/react-router';
import { PageError } from '#/shared/errors/page-error.tsx';
import { useErrorTitle } from '#/shared/navigation/page-title.ts';

/** NAV-8: an unknown path, or a known one with an id of the wrong form (then with capital N and F). */
export function NotFoundPage({ hasWrongId }: { hasWrongId: boolean }) {
  const path = useLocation({ select: (location) => location.href });
  const text = hasWrongId ? 'Page Not Found' : 'Page not found';
  useErrorTitle();
  return <PageError code="404" title={`${text}: ${path}`} />;
}
