import { createFileRoute, redirect } from '@tanstack/react-router';
import { safeRedirect } from '#/app/safe-redirect.ts';

export const Route = createFileRoute('/')({
  beforeLoad({ context }) {
    const { auth, redirects } = context;
    const to = auth.isSignedIn()
      ? safeRedirect(redirects.on_login, '/dashboard')
      : safeRedirect(redirects.on_auth_only, '/sign-in');
    throw redirect({ href: to, replace: true });
  },
});
