import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Logo } from '@wardline/ui/logo/logo.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useProductName } from '#/page/page-title.ts';
import { type SignInTrouble, signInTrouble } from './sign-in-trouble.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The device is the person's own: what was read stays on it, encrypted, for 7 days. */
  readonly isOwnDevice: boolean;
}

export interface SignInFormProps {
  readonly hasSessionEnded: boolean;
  readonly isOnline: boolean;
  readonly signIn: (credentials: Credentials) => Promise<void>;
}

/** The card one signs in with. */
export function SignInForm({ hasSessionEnded, isOnline, signIn }: SignInFormProps) {
  const [trouble, setTrouble] = useState<SignInTrouble>({});
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = read(new FormData(event.currentTarget));
    const missing = whatIsMissing(entered);
    setTrouble(missing);
    if (missing.email || missing.password) return focusFirst(form.current, missing);
    setIsBusy(true);
    try {
      await signIn(entered);
    } catch (error) {
      const found = signInTrouble(error);
      setTrouble(found);
      focusFirst(form.current, found);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <main className="in" id="main">
      <div className="in-col">
        <div className="brand in-brand">
          <Logo />
          <span>{useProductName()}</span>
        </div>
        {hasSessionEnded && <Banner>Your session ended; your draft is kept.</Banner>}
        {!isOnline && (
          <Banner tone="neutral" icon={CloudOff} title="Offline.">
            Signing in needs the network.
          </Banner>
        )}
        <Card className="in-card" role="group" aria-labelledby="sign-in">
          <h1 id="sign-in">Sign in</h1>
          {trouble.general && <Banner tone="error">{trouble.general}</Banner>}
          <form className="in-form" ref={form} noValidate onSubmit={(event) => void submit(event)}>
            <TextInput
              label="Email"
              name="email"
              type="email"
              inputMode="email"
              inputSize="lg"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
              error={trouble.email}
            />
            <PasswordInput
              label="Password"
              name="password"
              inputSize="lg"
              autoComplete="current-password"
              maxLength={128}
              error={trouble.password}
            />
            <Checkbox
              name="own-device"
              label="This is my own device"
              help="Keeps what you read on it, encrypted, for 7 days. Leave it off on a shared ward computer."
            />
            <Button type="submit" size="lg" isFullWidth isLoading={isBusy}>
              Sign in
            </Button>
          </form>
        </Card>
      </div>
      <p className="in-foot">No account? Your facility sends an invitation.</p>
    </main>
  );
}

function read(data: FormData): Credentials {
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { email: text('email').trim(), password: text('password'), isOwnDevice: data.has('own-device') };
}

function whatIsMissing({ email, password }: Credentials): SignInTrouble {
  return {
    ...(email === '' ? { email: 'Enter your email.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  };
}

function focusFirst(form: HTMLFormElement | null, { email, password }: SignInTrouble): void {
  const name = email ? 'email' : password ? 'password' : null;
  const field = name && form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
