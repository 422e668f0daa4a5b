import { forgotPassword } from '@wardline/contract/account/account.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { AuthPage } from './core/auth-page.tsx';
import { EmailField } from './core/email-field.tsx';
import { useLeaveWhenSignedIn } from './core/use-leave-when-signed-in.ts';

/** Asks for the link that sets a new password. What is said does not depend on whether the address is known. */
export function ForgotPasswordScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const call = useCall();
  const [status, setStatus] = useState<string | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['email'],
    required: { email: 'Enter your email.' },
    async send({ email }) {
      setStatus(null);
      setStatus((await call(forgotPassword, { body: { email } })).status);
    },
  });
  useLeaveWhenSignedIn(onSignedIn);
  return (
    <AuthPage title="Forgot password" work="Asking for a link" foot={<Link href="/sign-in">Back to sign in</Link>}>
      {status !== null && <Banner tone="success">{status}</Banner>}
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <p>Enter the email you sign in with. We’ll email you a reset link.</p>
      <form className="in-form" {...props}>
        <EmailField error={error.fields.email} />
        <SubmitButton isBusy={isBusy}>{status === null ? 'Send link' : 'Send again'}</SubmitButton>
      </form>
    </AuthPage>
  );
}
