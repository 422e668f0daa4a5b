import { createRootRouteWithContext, type NotFoundRouteProps, Outlet } from '@tanstack/react-router';
import { LinkProvider } from '@wardline/ui/link/link.tsx';
import { isCrawler } from '#/app/crawler.ts';
import { NotFoundPage } from '#/app/not-found-page.tsx';
import type { RouterContext } from '#/app/router-context.ts';
import { AppLink } from '#/page/app-link.tsx';
import { FatalPage } from '#/page/fatal-page.tsx';

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
