import { createFileRoute, useRouter } from '@tanstack/react-router';
import { afterSignIn, requireGuest } from '#/app/router/guards.ts';
import { navigateTarget } from '#/app/router/navigate-target.ts';
import { ForgotPasswordScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/forgot-password')({
  beforeLoad: ({ context, preload }) => requireGuest({ context, preload }),
  component: ForgotPasswordPage,
});

function ForgotPasswordPage() {
  usePageTitle('Forgot password');
  const router = useRouter();
  const { redirects } = Route.useRouteContext();
  return (
    <ForgotPasswordScreen onSignedIn={() => router.navigate(navigateTarget(afterSignIn({}, redirects.on_login)))} />
  );
}
