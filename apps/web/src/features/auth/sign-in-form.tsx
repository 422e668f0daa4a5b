import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner, type BannerTone } from '@wardline/ui/notice/banner.tsx';
import type { ReactNode } from 'react';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { AuthPage } from './auth-page.tsx';
import { EmailField } from './email-field.tsx';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The device is the person's own: what was read stays on it, encrypted, for 7 days. */
  readonly isOwnDevice: boolean;
}

/** Why one was sent here. */
export type SignInNotice = 'session-ended' | 'password-set' | 'address-confirmed' | 'link-invalid';

export interface SignInFormProps {
  readonly notice: SignInNotice | null;
  /** What else is said over the card. */
  readonly above?: ReactNode;
  /** What waits on this device for whoever was here. */
  readonly kept?: ReactNode;
  /** Whether anybody may ask for an account. */
  readonly canSignUp: boolean;
  readonly signIn: (credentials: Credentials) => Promise<void>;
}

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

/** The card one signs in with. */
export function SignInForm({ notice, above, kept, canSignUp, signIn }: SignInFormProps) {
  const { props, error, isBusy } = useForm({
    names: ['email', 'password'],
    required: { email: 'Enter your email.', password: 'Enter your password.' },
    send: ({ email, password }, data) => signIn({ email: email.trim(), password, isOwnDevice: data.has('own-device') }),
  });
  return (
    <AuthPage
      title="Sign in"
      work="Signing in"
      notice={
        <>
          {above}
          {notice && <SignInBanner {...notices[notice]} />}
          {kept}
        </>
      }
      foot={
        canSignUp ? (
          <span>
            No account? <Link href="/sign-up">Sign up</Link>
          </span>
        ) : (
          <span className="muted">No account? Your facility sends an invitation.</span>
        )
      }
    >
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <form className="in-form" {...props}>
        <EmailField error={error.fields.email} />
        <PasswordInput
          label="Password"
          labelAside={<Link href="/forgot-password">Forgot password?</Link>}
          name="password"
          inputSize="lg"
          autoComplete="current-password"
          maxLength={128}
          error={error.fields.password}
        />
        <Checkbox
          name="own-device"
          label="This is my own device"
          help="Keeps what you read on it, encrypted, for 7 days. Leave it off on a shared ward computer."
        />
        <SubmitButton isBusy={isBusy}>Sign in</SubmitButton>
      </form>
    </AuthPage>
  );
}

function SignInBanner({ tone, title, text }: { tone: BannerTone; title?: string; text: string }) {
  return (
    <Banner tone={tone} {...(title === undefined ? {} : { title })}>
      {text}
    </Banner>
  );
}
