import { Banner, type BannerTone } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, Suspense } from 'react';
import { lazyOrNothing } from './lazy-or-nothing.ts';
import type { SignInNotice } from './sign-in-notice.ts';

// Apart: it brings what reads databases, and the sign-in page would name each of those files.
const KeptUnsentNotice = lazyOrNothing(() => import('./kept-unsent-notice.tsx').then((part) => part.KeptUnsentNotice));

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

/** Why one was sent here, and what waits on this device for whoever was. */
export function SignInNotices({ notice }: { notice: SignInNotice | null }): ReactNode {
  return (
    <>
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
