import { createFileRoute, useRouter } from '@tanstack/react-router';
import { afterSignIn, invitationSearch, joinPath, requireGuest } from '#/app/router/guards.ts';
import { navigateTarget } from '#/app/router/navigate-target.ts';
import { useConfig } from '#/app/services/use-config.ts';
import { SignUpScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/sign-up')({
  validateSearch: invitationSearch,
  beforeLoad: ({ context, search, preload }) => requireGuest({ context, preload, search: wayOn(search) }),
  component: SignUpPage,
});

/** Somebody who has an account takes the invitation there. */
function wayOn({ invitation }: { invitation?: string }): { redirect?: string } {
  return invitation === undefined ? {} : { redirect: joinPath(invitation) };
}

function SignUpPage() {
  usePageTitle('Sign up');
  const router = useRouter();
  const search = Route.useSearch();
  const { redirects } = Route.useRouteContext();
  const { redirect } = wayOn(search);
  const { sign_up, mail } = useConfig();
  return (
    <SignUpScreen
      key={search.invitation}
      token={search.invitation ?? null}
      isOpen={sign_up === 'open'}
      isMailSent={mail.is_sent}
      signInHref={redirect === undefined ? '/sign-in' : `/sign-in?redirect=${encodeURIComponent(redirect)}`}
      onSignedIn={() => router.navigate(navigateTarget(afterSignIn(wayOn(search), redirects.on_login)))}
    />
  );
}
