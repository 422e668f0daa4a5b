import { createRootRouteWithContext, type NotFoundRouteProps, Outlet } from '@tanstack/react-router';
import { LinkProvider } from '@wardline/ui/link/link.tsx';
import { isCrawler } from '#/app/router/crawler.ts';
import { NotFoundPage } from '#/app/router/not-found-page.tsx';
import type { RouterContext } from '#/app/router/router-context.ts';
import { FatalPage } from '#/shared/errors/fatal-page.tsx';
import { AppLink } from '#/shared/navigation/app-link.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: ({ error }) => (isCrawler(navigator.userAgent) ? null : <FatalPage error={error} />),
  notFoundComponent: NotFound,
});

function Root() {
  return (
    <LinkProvider component={AppLink}>
      <Outlet />
    </LinkProvider>
  );
}

function NotFound({ data }: NotFoundRouteProps) {
  return <NotFoundPage hasWrongId={data === 'wrong-id'} />;
}
