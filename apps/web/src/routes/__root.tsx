import { createRootRouteWithContext, type NotFoundRouteProps, Outlet } from '@tanstack/react-router';
import { NotFoundPage } from '#/app/not-found-page.tsx';
import type { RouterContext } from '#/app/router-context.ts';
import { FatalPage } from '#/page/fatal-page.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ({ error }) => <FatalPage error={error} />,
  notFoundComponent: (props: NotFoundRouteProps) => <NotFoundPage hasWrongId={props.data === 'wrong-id'} />,
});
