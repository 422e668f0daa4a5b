import { Banner, type BannerTone } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, Suspense } from 'react';
import { readSsoFailure, ssoFailures } from '#/shared/errors/sso-failures.ts';
import { lazyOrNothing } from './lazy-or-nothing.ts';
import { ProviderButtons, type ProviderButtonsProps } from './provider-buttons.tsx';
import type { SignInNotice } from './sign-in-notice.ts';

// Apart: it brings what reads databases, and the sign-in page would name each of those files.
const KeptUnsentNotice = lazyOrNothing(() => import('../kept-unsent-notice.tsx').then((part) => part.KeptUnsentNotice));

const notices: Readonly<Record<SignInNotice, { tone: BannerTone; title?: string; text: string }>> = {
  'session-ended': { tone: 'info', text: 'Your session ended; your draft is kept.' },
  'password-set': { tone: 'success', title: 'Your password is set.', text: 'Sign in with it.' },
  'address-confirmed': {
    tone: 'success',
    title: 'Your address is confirmed.',
    text: 'Sign in with the password you chose.',
  },
  'link-invalid': {
    tone: 'warning',
    title: 'This link is no longer valid.',
    text: 'It was already used or has expired. Sign in to get a new one. If you are new here, sign up again.',
  },
};

interface SignInNoticesProps extends Partial<ProviderButtonsProps> {
  readonly notice?: SignInNotice | null;
}

/**
 * Why one was sent here, and what waits on this device for whoever was. With providers the buttons of those instead:
 * one more lazy part would have its name in the first visit.
 */
export function SignInNotices({ notice, providers, signIn }: SignInNoticesProps): ReactNode {
  if (providers) return <ProviderButtons providers={providers} signIn={signIn} />;
  const failure = readSsoFailure(location.hash);
  return (
    <>
      {failure && <Banner tone="warning">{ssoFailures[failure]}</Banner>}
      {notice && <SignInBanner {...notices[notice]} />}
      <Suspense>
        <KeptUnsentNotice />
      </Suspense>
    </>
  );
}

function SignInBanner({ tone, title, text }: { tone: BannerTone; title?: string; text: string }) {
  return (
    <Banner tone={tone} {...(title === undefined ? {} : { title })}>
      {text}
    </Banner>
  );
}
