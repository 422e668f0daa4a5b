import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest, signInSearch } from '#/app/router/guards.ts';
import { navigateTarget } from '#/app/router/navigate-target.ts';
import { signInNotice } from '#/app/router/sign-in-notice.ts';
import { useConfig } from '#/app/services/use-config.ts';
import { KEPT_UNSENT } from '#/app/unsent/kept-unsent.ts';
import { SignInScreen } from '#/features/auth/index.ts';
import { useHydrated } from '#/shared/forms/use-hydrated.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

const KeptUnsentNotice = lazyPart<object>(
  async () => (await import('#/app/unsent/kept-unsent-notice.tsx')).KeptUnsentNotice,
);

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
      kept={isHydrated && hasKeptUnsent() && <KeptUnsentNotice />}
      canSignUp={useConfig().sign_up === 'open'}
      onSignedIn={() => router.navigate(navigateTarget(afterSignIn(search, redirects.on_login)))}
    />
  );
}

/** Its code is wanted only where something waits. */
function hasKeptUnsent(): boolean {
  try {
    return KEPT_UNSENT in localStorage;
  } catch {
    return false;
  }
}
