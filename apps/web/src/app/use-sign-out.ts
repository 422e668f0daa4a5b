import { useRouter } from '@tanstack/react-router';
import { useSession } from '#/features/auth/index.ts';
import { clearDrafts } from '#/features/chat/index.ts';
import { safeRedirect } from './safe-redirect.ts';
import { useServices } from './services-context.ts';

/** Ends the session, forgets what was typed and goes where the configuration says. */
export function useSignOut(): (options: { discardUnsent: boolean }) => Promise<void> {
  const session = useSession();
  const router = useRouter();
  const { config } = useServices();
  return async (options) => {
    clearDrafts();
    await session.signOut(options);
    await router.navigate({ href: safeRedirect(config.redirect.on_logout, '/sign-in'), replace: true });
  };
}
