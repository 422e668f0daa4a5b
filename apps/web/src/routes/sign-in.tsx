import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest, signInSearch } from '#/app/router/guards.ts';
import { navigateTarget } from '#/app/router/navigate-target.ts';
import { signInNotice } from '#/app/router/sign-in-notice.ts';
import { useConfig } from '#/app/services/use-config.ts';
import { SignInScreen } from '#/features/auth/index.ts';
import { hasPasskeyAddress } from '#/shared/forms/passkey-address.ts';
import { useHydrated } from '#/shared/forms/use-hydrated.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

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
  const { sign_up, passkeys, sso, mode } = useConfig();
  return (
    <SignInScreen
      notice={isHydrated ? signInNotice(search, reason) : null}
      canSignUp={sign_up === 'open'}
      hasPasskeys={passkeys.is_offered && mode === 'cookie' && (!isHydrated || hasPasskeyAddress())}
      providers={sso}
      onSignedIn={() => router.navigate(navigateTarget(afterSignIn(search, redirects.on_login)))}
    />
  );
}
