import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest, signInSearch } from '#/app/guards.ts';
import { SignInScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/page/page-title.ts';

export const Route = createFileRoute('/sign-in')({
  validateSearch: signInSearch,
  beforeLoad: requireGuest,
  component: SignInPage,
});

function SignInPage() {
  usePageTitle('Sign in');
  const router = useRouter();
  const search = Route.useSearch();
  const hasEnded = useLocation({ select: (location) => location.state.reason === 'session-ended' });
  const { redirects } = Route.useRouteContext();
  return (
    <SignInScreen
      hasSessionEnded={hasEnded}
      onSignedIn={() => router.navigate({ href: afterSignIn(search, redirects.on_login), replace: true })}
    />
  );
}
