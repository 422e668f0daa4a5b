import { useState } from 'react';
import { PasskeyStep } from './passkey-step.tsx';
import { SecondStep } from './second-step.tsx';
import type { Credentials } from './sign-in-form.tsx';

interface FurtherStepsProps {
  /** What the first step took; without an email for who begins with a passkey. */
  readonly given: Credentials;
  readonly hasPasskeys: boolean;
  readonly onBack: () => void;
}

/** What may come after the form one signs in with, or in its place. */
export function FurtherSteps({ given, hasPasskeys, onBack }: FurtherStepsProps) {
  const [isByPasskey, setIsByPasskey] = useState(given.email === '' && !given.isProvided);
  if (isByPasskey) return <PasskeyStep isOwnDevice={given.isOwnDevice} onBack={onBack} />;
  return <SecondStep given={given} byPasskey={hasPasskeys ? () => setIsByPasskey(true) : undefined} onBack={onBack} />;
}
