import { useRouter } from '@tanstack/react-router';
import { safeRedirect } from '#/app/router/safe-redirect.ts';
import { useServices } from '#/app/services/services-context.ts';
import { useSession } from '#/features/auth/index.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';

const lastTryMs = 2000;

interface SignOut {
  /** Tries once more to send what waits; answers whether nothing waits any more. */
  settle(): Promise<boolean>;
  /** Ends the session and goes where the configuration says. */
  signOut(options: { discardUnsent: boolean }): Promise<void>;
}

export function useSignOut(): SignOut {
  const session = useSession();
  const { outbox } = useDevice();
  const router = useRouter();
  const { config, events } = useServices();
  return {
    settle: () => outbox.drain(lastTryMs),
    async signOut(options) {
      await session.signOut(options);
      const { on_logout: target } = config.redirect;
      // Without a target one stays, and the guard of the page decides.
      if (target === false) return;
      events.emit('sanctum:redirect', { url: target });
      await router.navigate({ href: safeRedirect(target, '/sign-in'), replace: true });
    },
  };
}
