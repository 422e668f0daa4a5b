import type { SecondStep as GivenStep } from '@wardline/contract/account/second-factor.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useRef, useState } from 'react';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { AuthPage } from '../core/auth-page.tsx';
import { useSession } from '../core/session-context.tsx';
import type { Credentials } from './sign-in-form.tsx';

interface SecondStepProps {
  /** What the first step took. */
  readonly given: Credentials;
  readonly byPasskey: (() => void) | undefined;
  readonly onBack: () => void;
}

type Way = 'code' | 'recovery_code';

/** ACC-3: the second step of a sign-in, by the app's code or by a recovery code. */
export function SecondStep({ given, byPasskey, onBack }: SecondStepProps) {
  const session = useSession();
  const { email, password, isOwnDevice } = given;
  const [way, setWay] = useState<Way>('code');
  return (
    <AuthPage title={way === 'code' ? 'Enter your code' : 'Use a recovery code'} work="Signing in">
      <p className="t13 muted">
        {way === 'code'
          ? `Open your authenticator app and enter the 6 digits it shows${email && ` for ${email}`}.`
          : 'Enter one of the codes you kept when you set up your authenticator app. Each works once.'}
      </p>
      <CodeForm
        key={way}
        way={way}
        send={(secondStep) => session.signIn(email, password, { ownDevice: isOwnDevice, secondStep })}
      />
      <div className="stack stack-1">
        <Button variant="link" onClick={() => setWay(way === 'code' ? 'recovery_code' : 'code')}>
          {way === 'code' ? 'Use a recovery code' : 'Use the authenticator app'}
        </Button>
        {byPasskey && (
          <Button variant="link" onClick={byPasskey}>
            Use a passkey
          </Button>
        )}
        <Button variant="link" onClick={onBack}>
          Back to sign-in
        </Button>
      </div>
    </AuthPage>
  );
}

interface CodeFormProps {
  readonly way: Way;
  readonly send: (secondStep: GivenStep) => Promise<void>;
}

function CodeForm({ way, send }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { props, error, isBusy } = useForm({
    names: [way],
    required: { [way]: way === 'code' ? 'Enter the code.' : 'Enter a recovery code.' },
    async send(values) {
      try {
        await send({ [way]: values[way].trim() });
      } catch (error) {
        field.current?.select();
        throw error;
      }
    },
  });
  return (
    <form className="in-form" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        ref={field}
        label={way === 'code' ? 'Code' : 'Recovery code'}
        name={way}
        inputSize="lg"
        className="mono"
        autoComplete={way === 'code' ? 'one-time-code' : 'off'}
        inputMode={way === 'code' ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={way === 'code' ? 20 : 64}
        error={error.fields[way]}
      />
      <SubmitButton isBusy={isBusy}>Sign in</SubmitButton>
    </form>
  );
}
