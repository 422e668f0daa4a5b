import { createFileRoute } from '@tanstack/react-router';
import { linkSearch } from '#/app/router/guards.ts';
import { VerifyEmailScreen } from '#/features/account/index.ts';
import { useUser } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/verify-email')({ validateSearch: linkSearch, component: VerifyEmail });

function VerifyEmail() {
  usePageTitle('Verify your email');
  const { link } = Route.useSearch();
  return <VerifyEmailScreen user={useUser()} isLinkInvalid={link === 'invalid'} />;
}
