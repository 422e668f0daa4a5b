import { createFileRoute } from '@tanstack/react-router';
import { PageError } from '#/shared/errors/page-error.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/403')({ component: ForbiddenPage });

function ForbiddenPage() {
  usePageTitle('Not allowed');
  return (
    <PageError code="403" title="You don’t have access to this page">
      <p className="muted">It needs a permission you don’t have, or no longer have. Ask your facility administrator.</p>
    </PageError>
  );
}
