import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { SetUpScreen } from '#/features/auth/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/setup')({ component: SetUpPage });

function SetUpPage() {
  usePageTitle('Set up');
  const router = useRouter();
  const hash = useLocation({ select: (location) => (location.pathname === '/setup' ? location.hash : null) });
  const [token, setToken] = useState(hash ?? '');
  // On the way to the next page the address has none any more, and nothing new is to be asked.
  if (hash !== null && hash !== token) setToken(hash);
  return (
    <SetUpScreen
      key={token}
      token={token}
      onDone={() => void router.navigate({ href: '/settings/facility', replace: true })}
    />
  );
}
