import './lock.css';
import type { User } from '@wardline/contract/account/auth.ts';
import { beginPasskeyConfirmation, unlockScreen } from '@wardline/contract/account/passkeys.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Logo } from '@wardline/ui/logo/logo.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useSession } from '#/features/auth/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePageConfig } from '#/shared/contexts/page-config.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { ProviderConfirm } from '#/shared/forms/dialogs/provider-confirm.tsx';
import { useAction } from '#/shared/forms/use-action.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { askPasskey } from '#/shared/forms/web-authn.ts';
import { useProductName } from '#/shared/navigation/page-title.ts';

interface LockScreenProps {
  readonly user: User;
  /** The server has confirmed that it is this person. */
  readonly onUnlock: () => void;
  /** Why a sign-in provider did not open it. */
  readonly failure?: string | null;
}

/** ACC-6: in the place of everything, until the same person shows who they are, or somebody else takes the computer. */
export function LockScreen({ user, onUnlock, failure = null }: LockScreenProps) {
  const titleId = useId();
  const isOnline = useOnline();
  const product = useProductName();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <main className="in" aria-labelledby={titleId}>
      <div className="in-col">
        <span className="brand in-brand">
          <Logo />
          <span>{product}</span>
        </span>
        {!isOnline && (
          <Banner tone="neutral" icon={CloudOff} title="Offline.">
            Unlocking needs the network. What you wrote is kept.
          </Banner>
        )}
        <Card className="in-card" role="group" aria-labelledby={titleId}>
          <h1 id={titleId}>Locked</h1>
          {isLeaving ? (
            <Switch name={user.name} onBack={() => setIsLeaving(false)} />
          ) : (
            <Unlock user={user} onUnlock={onUnlock} failure={failure} onLeave={() => setIsLeaving(true)} />
          )}
        </Card>
      </div>
    </main>
  );
}

function Unlock({ user, onUnlock, failure, onLeave }: LockScreenProps & { readonly onLeave: () => void }) {
  const call = useCall();
  const { sso: providers = [] } = usePageConfig();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLInputElement>('[name=password]')?.focus(), []);
  const { props, error, isBusy } = useForm({
    names: ['password'],
    required: { password: 'Enter your password.' },
    async send({ password }) {
      await call(unlockScreen, { body: { password } });
      onUnlock();
    },
  });
  const passkey = useAction(async () => {
    const credential = await askPasskey(await call(beginPasskeyConfirmation));
    await call(unlockScreen, { body: { credential } });
    onUnlock();
  });
  const general = error.general ?? passkey.error ?? failure;
  return (
    <div className="stack stack-4" ref={place}>
      <p className="muted">{user.name} is signed in. Everything is as you left it.</p>
      {general && <Banner tone="error">{general}</Banner>}
      <form className="stack stack-4" {...props}>
        {/* So that a password manager knows whose it is. */}
        <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={128}
          inputSize="lg"
          error={error.fields.password}
        />
        <Button type="submit" size="lg" isFullWidth isLoading={isBusy}>
          Unlock
        </Button>
      </form>
      {user.has_second_factor && (
        <Button variant="outline" color="neutral" isFullWidth isLoading={passkey.isBusy} onClick={passkey.run}>
          Use passkey
        </Button>
      )}
      <ProviderConfirm providers={providers} purpose="unlock" />
      <Button variant="link" onClick={onLeave}>
        Not {user.name}? Sign in as someone else
      </Button>
    </div>
  );
}

/** The first person's messages stay here, encrypted, and go out when they sign in again. */
function Switch({ name, onBack }: { readonly name: string; readonly onBack: () => void }) {
  const session = useSession();
  const { run, isBusy, error } = useAction(async () => {
    await session.signOut();
    // A full load: nothing of one person is left in memory for the next.
    location.assign('/sign-in');
  });
  return (
    <div className="stack stack-4">
      <p>
        This signs {name} out on this computer. Messages and reports that wait to be sent are kept and go out when{' '}
        {name} signs in here again. Text that was not sent yet is lost.
      </p>
      {error && <Banner tone="error">{error}</Banner>}
      <Button size="lg" isFullWidth isLoading={isBusy} onClick={run}>
        Sign {name} out
      </Button>
      <Button variant="link" onClick={onBack}>
        Back
      </Button>
    </div>
  );
}
