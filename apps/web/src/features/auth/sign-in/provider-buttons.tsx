import { beginSingleSignOn } from '@wardline/contract/account/single-sign-on.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useAction } from '#/shared/forms/use-action.ts';

/** As the form's credentials, without any: a provider has said who this is. */
interface Provided {
  readonly email: '';
  readonly password: '';
  readonly isOwnDevice: false;
  readonly isProvided: true;
}

export interface ProviderButtonsProps {
  readonly providers: ClientConfig['sso'];
  /** To the second step, where the provider's word alone is not enough. */
  readonly signIn?: ((given: Provided) => Promise<void>) | undefined;
}

/** ACC-4: at which providers one may sign in; back from one, the second step where its word alone is not enough. */
export function ProviderButtons({ providers, signIn }: ProviderButtonsProps) {
  const goOn = useEffectEvent((given: Provided) => signIn?.(given));
  useEffect(() => {
    if (location.hash !== '#sso=second-step') return;
    // Once: "Back to sign-in" leads to the form.
    history.replaceState(history.state, '', location.pathname + location.search);
    void goOn({ email: '', password: '', isOwnDevice: false, isProvided: true });
  }, []);
  return providers.map((provider) => <ProviderButton key={provider.id} {...provider} />);
}

function ProviderButton({ id: provider, label }: ProviderButtonsProps['providers'][number]) {
  const call = useCall();
  const place = useRef<HTMLDivElement>(null);
  const { run, isBusy, error } = useAction(async () => {
    const redirect = new URLSearchParams(location.search).get('redirect');
    const remember = new FormData(place.current?.closest('form') ?? undefined).has('own-device');
    const body = { ...(redirect && { redirect }), ...(remember && { remember }) };
    const begun = await call(beginSingleSignOn, { params: { provider }, body });
    // Whoever comes back is signed in, which this device does not take for possible soon after a sign-out.
    localStorage.removeItem('wardline-signed-out-at');
    location.assign(begun.location);
  });
  return (
    <div ref={place} className="stack stack-3">
      <Button variant="outline" color="neutral" size="lg" isFullWidth isLoading={isBusy} onClick={run}>
        Sign in with {label}
      </Button>
      {error && <Banner tone="error">{error}</Banner>}
    </div>
  );
}
