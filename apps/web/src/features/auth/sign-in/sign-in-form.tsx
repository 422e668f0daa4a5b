import { ApiError } from '@wardline/client/http/api-error.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, Suspense } from 'react';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useHydrated } from '#/shared/forms/use-hydrated.ts';
import { AuthPage } from '../core/auth-page.tsx';
import { EmailField } from '../core/email-field.tsx';
import { lazyOrNothing } from './lazy-or-nothing.ts';
import type { SignInNotice } from './sign-in-notice.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The device is the person's own: what was read stays on it, encrypted, for 7 days. */
  readonly isOwnDevice: boolean;
  /** A provider has said who this is, and the second step is to come. */
  readonly isProvided?: true;
}

export interface SignInFormProps {
  readonly notice: SignInNotice | null;
  /** What else is said over the card. */
  readonly above?: ReactNode;
  /** Where one may sign in besides here; there is room for it from the first paint on (F-U8). */
  readonly providers?: ClientConfig['sso'] | undefined;
  /** Whether anybody may ask for an account. */
  readonly canSignUp: boolean;
  readonly hasPasskeys?: boolean;
  /** Without an email and a password: by passkey, or the second step after a provider's word. */
  readonly signIn: (credentials: Credentials) => Promise<void>;
}

const OWN_DEVICE = 'own-device';

// Most who come here read none of it.
const SignInNotices = lazyOrNothing(() => import('./sign-in-notices.tsx').then((part) => part.SignInNotices));

const PasskeyAutofill = lazyOrNothing(() => import('./passkey-autofill.tsx').then((part) => part.PasskeyAutofill));

/** The card one signs in with. */
export function SignInForm({ notice, above, providers, canSignUp, hasPasskeys, signIn }: SignInFormProps) {
  const { props, error, isBusy } = useForm({
    names: ['email', 'password'],
    required: { email: 'Enter your email.', password: 'Enter your password.' },
    async send({ email, password }, data) {
      try {
        await signIn({ email: email.trim(), password, isOwnDevice: data.has(OWN_DEVICE) });
      } catch (error) {
        if (!isOfBoth(error, email)) throw error;
        const field = props.ref.current?.elements.namedItem('password');
        if (field instanceof HTMLElement) field.focus();
        // At no field of the form, so it is said over it.
        const { message, status, code, fieldErrors } = error;
        throw new ApiError(message, {
          status,
          code,
          fieldErrors: { credentials: fieldErrors['email'] ?? [] },
          cause: error,
        });
      }
    },
  });
  const isOwnDevice = () => new FormData(props.ref.current ?? undefined).has(OWN_DEVICE);
  const isHydrated = useHydrated();
  const isNoticed = isHydrated ? notice !== null || hasKeptUnsent() || location.hash !== '' : null;
  return (
    <AuthPage
      title="Sign in"
      work="Signing in"
      notice={
        <>
          {above}
          <div className={isNoticed === null ? 'in-notices is-soon' : 'in-notices'}>
            {isNoticed && (
              <Suspense fallback={<div />}>
                <SignInNotices notice={notice} />
              </Suspense>
            )}
          </div>
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
        {isHydrated && hasPasskeys && (
          <Suspense>
            <PasskeyAutofill isOwnDevice={isOwnDevice} />
          </Suspense>
        )}
        <EmailField error={error.fields.email} {...(hasPasskeys && { autoComplete: 'username webauthn' })} />
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
          name={OWN_DEVICE}
          label="This is my own device"
          help="Keeps what you read on it, encrypted, for 7 days. Leave it off on a shared ward computer."
        />
        <SubmitButton isBusy={isBusy}>Sign in</SubmitButton>
        {hasPasskeys && (
          <Button
            className="in-passkey"
            variant="outline"
            color="neutral"
            size="lg"
            isFullWidth
            onClick={() => void signIn({ email: '', password: '', isOwnDevice: isOwnDevice() })}
          >
            Use a passkey
          </Button>
        )}
        <div className="in-sso">
          {providers?.[0] && (
            <Suspense>
              <SignInNotices providers={providers} signIn={signIn} />
            </Suspense>
          )}
        </div>
      </form>
    </AuthPage>
  );
}

/**
 * Whether email and password do not go together. The answer names the email, as Laravel's does, and says by that nothing of which of
 * the two is wrong; an email that is none is wrong by itself.
 */
function isOfBoth(error: unknown, email: string): error is ApiError {
  if (!(error instanceof ApiError) || error.status !== 422) return false;
  const fields = Object.keys(error.fieldErrors);
  return fields.length === 1 && fields[0] === 'email' && /^\S+@\S+$/.test(email.trim());
}

/** As shared/contexts/kept-unsent-key.ts, which would be a file of its own in the first visit. */
function hasKeptUnsent(): boolean {
  try {
    return 'wardline-unsent' in localStorage;
  } catch {
    return false;
  }
}
