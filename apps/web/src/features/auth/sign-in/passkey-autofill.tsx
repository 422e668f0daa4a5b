import { beginPasskeySignIn } from '@wardline/contract/account/passkeys.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useSession } from '../core/session-context.tsx';
import { offerPasskeys } from './offer-passkeys.ts';

interface PasskeyAutofillProps {
  /** Asked when a passkey was chosen. */
  readonly isOwnDevice: () => boolean;
}

/** ACC-3: passkeys among the names that the browser offers at the email field. What keeps it from offering them is nobody's concern. */
export function PasskeyAutofill({ isOwnDevice }: PasskeyAutofillProps) {
  const call = useCall();
  const session = useSession();
  const [error, setError] = useState<string | null>(null);
  const offer = useEffectEvent(async (signal: AbortSignal) => {
    const ask = () => call(beginPasskeySignIn, { signal });
    const passkey = await offerPasskeys({ ask, signal }).catch(() => null);
    if (passkey === null) return;
    try {
      await session.signIn('', '', { ownDevice: isOwnDevice(), passkey });
    } catch (failure) {
      setError(formatAction(failure));
    }
  });
  useEffect(() => {
    const ending = new AbortController();
    void offer(ending.signal);
    return () => ending.abort();
  }, []);
  return error === null ? null : <Banner tone="error">{error}</Banner>;
}
