import { openTabChannel } from '@wardline/client/browser/tab-channel.ts';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { getConfirmedPasswordStatus } from '@wardline/contract/account/second-factor.ts';
import {
  beginProviderConfirmation,
  listProviderLinks,
  type ProviderLink,
} from '@wardline/contract/account/single-sign-on.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useAction } from '../use-action.ts';

/** Between tabs: a provider has confirmed who is here. */
export const PROVIDER_CHANNEL = 'wardline-provider';
const BLOCKED = 'Your browser blocked the new tab. Allow it for this page, and try again.';

interface ProviderConfirmProps {
  readonly providers: ClientConfig['sso'];
  readonly purpose: 'confirm' | 'unlock';
  /** The server takes it for confirmed. The covered screen is opened by the tab that came back. */
  readonly onDone?: () => void;
}

/** In the place of the password, for who signs in at a provider: in a tab of its own, so that nothing typed here is lost. */
export function ProviderConfirm({ providers, purpose, onDone }: ProviderConfirmProps) {
  const call = useCall();
  const [links, setLinks] = useState<readonly ProviderLink[]>([]);
  const isOffered = providers.length > 0;
  useEffect(() => {
    if (!isOffered) return;
    call(listProviderLinks, {}).then(
      ({ data }) => setLinks(data.filter(({ linked_at }) => linked_at !== null)),
      // Without an answer the password is left.
      () => undefined,
    );
  }, [call, isOffered]);
  const look = useEffectEvent(async () => {
    const { confirmed } = await call(getConfirmedPasswordStatus, { query: {} });
    if (confirmed) onDone?.();
  });
  useEffect(() => {
    if (!isOffered || purpose === 'unlock') return;
    const lookNow = () => void look().catch(() => undefined);
    // The tab that came back tells; where it can't, one comes back to this one.
    const channel = openTabChannel<true>(PROVIDER_CHANNEL, lookNow);
    window.addEventListener('focus', lookNow);
    return () => {
      channel.close();
      window.removeEventListener('focus', lookNow);
    };
  }, [isOffered, purpose]);
  return links.map((link) => <ProviderButton key={link.provider} link={link} purpose={purpose} />);
}

function ProviderButton({ link, purpose }: { readonly link: ProviderLink } & Pick<ProviderConfirmProps, 'purpose'>) {
  const call = useCall();
  const { run, isBusy, error } = useAction(async () => {
    // At once, while the browser still knows that somebody pressed.
    const tab = window.open('', '_blank');
    if (tab === null) throw new ApiError(BLOCKED, { status: 0, code: 'blocked' });
    try {
      const input = { params: { provider: link.provider }, body: { purpose } };
      tab.location.href = (await call(beginProviderConfirmation, input)).location;
    } catch (failure) {
      tab.close();
      throw failure;
    }
  });
  return (
    <>
      {error && <Banner tone="error">{error}</Banner>}
      <Button variant="outline" color="neutral" isFullWidth isLoading={isBusy} onClick={run}>
        Sign in with {link.label} again
      </Button>
    </>
  );
}
