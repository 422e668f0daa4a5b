import { createFileRoute } from '@tanstack/react-router';
import { useConfig } from '#/app/services/use-config.ts';
import { useSessionState } from '#/features/auth/index.ts';
import { LandingScreen, loadContent } from '#/features/public/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_public/')({
  loader: () => loadContent('/'),
  staleTime: Number.POSITIVE_INFINITY,
  component: LandingPage,
});

function LandingPage() {
  usePageTitle(null);
  return (
    <LandingScreen
      content={Route.useLoaderData()}
      isSignedIn={useSessionState().status === 'signed-in'}
      isSignUpOpen={useConfig().sign_up === 'open'}
    />
  );
}
