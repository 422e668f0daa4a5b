import { createFileRoute, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest, requireHash } from '#/app/router/guards.ts';
import { navigateTarget } from '#/app/router/navigate-target.ts';
import { PasswordResetScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/password-reset/$hash')({
  validateSearch: (search): { email?: string } => ('email' in search ? { email: String(search['email']) } : {}),
  beforeLoad({ context, params, preload }) {
    requireGuest({ context, preload });
    requireHash(params.hash);
  },
  component: PasswordResetPage,
});

function PasswordResetPage() {
  usePageTitle('Set a new password');
  const router = useRouter();
  const { hash } = Route.useParams();
  const { email = '' } = Route.useSearch();
  const { redirects } = Route.useRouteContext();
  return (
    <PasswordResetScreen
      token={hash}
      email={email}
      onSet={() => void router.navigate({ to: '/sign-in', replace: true, state: { reason: 'password-set' } })}
      onSignedIn={() => router.navigate(navigateTarget(afterSignIn({}, redirects.on_login)))}
    />
  );
}
