import { resetPassword } from '@wardline/contract/account/account.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { NewPasswordField } from '#/shared/forms/fields/new-password-field.tsx';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { AuthPage } from './core/auth-page.tsx';
import { EmailField } from './core/email-field.tsx';
import { useLeaveWhenSignedIn } from './core/use-leave-when-signed-in.ts';

interface PasswordResetScreenProps {
  /** The secret of the link. */
  readonly token: string;
  /** Whom the link was sent to, as it says itself. */
  readonly email: string;
  readonly onSet: () => void;
  readonly onSignedIn: () => void;
}

/** Sets a new password by a mailed link. */
export function PasswordResetScreen({ token, email, onSet, onSignedIn }: PasswordResetScreenProps) {
  const call = useCall();
  const [owner, setOwner] = useState(email);
  const { props, error, isBusy } = useForm({
    names: ['email', 'password'],
    required: { email: 'Enter your email.', password: 'Choose a password.' },
    async send(values) {
      await call(resetPassword, { body: { ...values, token, password_confirmation: values.password } });
      onSet();
    },
  });
  useLeaveWhenSignedIn(onSignedIn);
  return (
    <AuthPage
      title="Set a new password"
      work="Setting a password"
      foot={
        <>
          <Link href="/forgot-password">Ask for a new link</Link>
          <Link href="/sign-in">Back to sign in</Link>
        </>
      }
    >
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <p>This signs you out on all your devices, including this one.</p>
      <form className="in-form" {...props}>
        <EmailField
          defaultValue={email}
          error={error.fields.email}
          onInput={(event) => setOwner(event.currentTarget.value)}
        />
        <NewPasswordField label="New password" inputSize="lg" error={error.fields.password} email={owner} />
        <SubmitButton isBusy={isBusy}>Set password</SubmitButton>
      </form>
    </AuthPage>
  );
}
