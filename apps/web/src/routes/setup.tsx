import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { SetUpScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/setup')({ component: SetUpPage });

function SetUpPage() {
  usePageTitle('Set up');
  const router = useRouter();
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <SetUpScreen
      key={token}
      token={token}
      onDone={() => void router.navigate({ href: '/settings/facility', replace: true })}
    />
  );
}
