import { beginPasskeySignIn } from '@wardline/contract/account/passkeys.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useEffectEvent } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { askPasskey } from '#/shared/forms/web-authn.ts';
import { AuthPage } from '../core/auth-page.tsx';
import { useSession } from '../core/session-context.tsx';

interface PasskeyStepProps {
  readonly isOwnDevice: boolean;
  readonly onBack: () => void;
}

/** ACC-3: signs in with a passkey; the browser asks which, and the device for its PIN or finger. */
export function PasskeyStep({ isOwnDevice, onBack }: PasskeyStepProps) {
  const call = useCall();
  const session = useSession();
  const { run, isBusy, error } = useAction(async () => {
    const passkey = await askPasskey(await call(beginPasskeySignIn));
    await session.signIn('', '', { ownDevice: isOwnDevice, passkey });
  });
  const begin = useEffectEvent(run);
  useEffect(() => begin(), []);
  return (
    <AuthPage title="Use a passkey" work="Signing in" isAnswer>
      {error && <Banner tone="error">{error}</Banner>}
      <p className="t13 muted">Choose a passkey, then unlock it with your fingerprint, face or screen lock.</p>
      <Button size="lg" isFullWidth isLoading={isBusy} onClick={run}>
        {error ? 'Try again' : 'Sign in'}
      </Button>
      <Button variant="link" onClick={onBack}>
        Back to sign-in
      </Button>
    </AuthPage>
  );
}
