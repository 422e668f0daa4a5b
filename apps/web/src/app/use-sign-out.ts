import { useRouter } from '@tanstack/react-router';
import { useSession } from '#/features/auth/index.ts';
import { useChatRuntime } from '#/features/chat/index.ts';
import { safeRedirect } from './safe-redirect.ts';
import { useServices } from './services-context.ts';

const lastTryMs = 2000;

interface SignOut {
  /** Tries once more to send what waits; answers whether nothing waits any more. */
  settle(): Promise<boolean>;
  /** Ends the session and goes where the configuration says. */
  signOut(options: { discardUnsent: boolean }): Promise<void>;
}

export function useSignOut(): SignOut {
  const session = useSession();
  const runtime = useChatRuntime();
  const router = useRouter();
  const { config } = useServices();
  return {
    settle: () => runtime.drain(lastTryMs),
    async signOut(options) {
      await session.signOut(options);
      await router.navigate({ href: safeRedirect(config.redirect.on_logout, '/sign-in'), replace: true });
    },
  };
}
