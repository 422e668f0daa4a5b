import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest, signInSearch } from '#/app/guards.ts';
import { signInNotice } from '#/app/sign-in-notice.ts';
import { useConfig } from '#/app/use-config.ts';
import { wayTo } from '#/app/way-to.ts';
import { SignInScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/page/page-title.ts';
import { useHydrated } from '#/page/use-hydrated.ts';

export const Route = createFileRoute('/sign-in')({
  validateSearch: signInSearch,
  beforeLoad: requireGuest,
  component: SignInPage,
});

function SignInPage() {
  usePageTitle('Sign in');
  const router = useRouter();
  const search = Route.useSearch();
  const reason = useLocation({ select: (location) => location.state.reason });
  const { redirects } = Route.useRouteContext();
  const isHydrated = useHydrated();
  return (
    <SignInScreen
      notice={isHydrated ? signInNotice(search, reason) : null}
      canSignUp={useConfig().sign_up === 'open'}
      onSignedIn={() => router.navigate(wayTo(afterSignIn(search, redirects.on_login)))}
    />
  );
}
