import '#/features/public/public.css';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useSessionState } from '#/features/auth/index.ts';
import { PublicLayout } from '#/features/public/index.ts';
import { useProductName } from '#/shared/navigation/page-title.ts';

/** Head and foot of the public pages, for who is here. */
export function PublicFrame() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <PublicLayout productName={useProductName()} isSignedIn={useSessionState().status === 'signed-in'} path={path}>
      <Outlet />
    </PublicLayout>
  );
}
