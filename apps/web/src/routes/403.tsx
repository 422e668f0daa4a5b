import { createFileRoute } from '@tanstack/react-router';
import { Link } from '@wardline/ui/link/link.tsx';
import { useSessionState } from '#/features/auth/index.ts';
import { PageError } from '#/shared/errors/page-error.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/403')({ component: ForbiddenPage });

function ForbiddenPage() {
  usePageTitle('Not allowed');
  const state = useSessionState();
  const isClosed = state.status === 'signed-in' && state.user.factor_rules?.some(({ is_closed }) => is_closed);
  const closed = (state.status === 'signed-in' && state.user.closed_facilities) || [];
  return (
    <PageError
      code="403"
      title="You don’t have access to this page"
      {...(state.status === 'signed-in' && { way: { href: '/dashboard', label: 'Go to the dashboard' } })}
    >
      <p className="muted">It needs a permission you don’t have, or no longer have. Ask your facility administrator.</p>
      {closed.length > 0 && <p className="muted">{closed.join(', ')}: closed by the system administrator.</p>}
      {isClosed && (
        <p className="muted">
          A facility of yours needs a second factor. <Link href="/settings#security">Set one up</Link> to open it.
        </p>
      )}
    </PageError>
  );
}
