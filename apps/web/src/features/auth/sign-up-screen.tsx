import { serverNow } from '@wardline/client/server-clock.ts';
import { register } from '@wardline/contract/account/account.ts';
import { showInvitation } from '@wardline/contract/facilities/invitations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { NewPasswordField } from '#/shared/forms/fields/new-password-field.tsx';
import { formatAction, isLinkGone } from '#/shared/forms/form-errors.ts';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useHydrated } from '#/shared/forms/use-hydrated.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { AuthPage } from './core/auth-page.tsx';
import { EmailField } from './core/email-field.tsx';
import { useSession } from './core/session-context.tsx';
import { useLeaveWhenSignedIn } from './core/use-leave-when-signed-in.ts';

const names = ['name', 'email', 'password'] as const;
type SignUpInput = Readonly<Record<(typeof names)[number], string>>;

interface SignUpFormProps {
  /** The address that the invitation was mailed to; they may take another. */
  readonly mailedTo: string;
  readonly onSend: (input: SignUpInput) => Promise<void>;
}

/** Name, email and password of a new account. */
function SignUpForm({ mailedTo, onSend }: SignUpFormProps) {
  const { props, error, isBusy } = useForm({
    names,
    required: { name: 'Enter your name.', email: 'Enter your email.', password: 'Choose a password.' },
    send: onSend,
  });
  const [name, setName] = useState('');
  const [email, setEmail] = useState(mailedTo);
  return (
    <form className="in-form" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        label="Name"
        name="name"
        inputSize="lg"
        autoComplete="name"
        maxLength={120}
        help="The name your colleagues know."
        error={error.fields.name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <EmailField
        defaultValue={mailedTo}
        error={error.fields.email}
        onInput={(event) => setEmail(event.currentTarget.value)}
      />
      <NewPasswordField inputSize="lg" error={error.fields.password} name={name} email={email} />
      <SubmitButton isBusy={isBusy}>Sign up</SubmitButton>
    </form>
  );
}

interface SignUpScreenProps {
  /** The secret of the link one came with. */
  readonly token: string | null;
  /** Whether anybody may ask for an account. */
  readonly isOpen: boolean;
  /** Whether the mailed link reaches anybody. */
  readonly isMailSent: boolean;
  /** Where somebody goes who has an account already. */
  readonly signInHref: string;
  readonly onSignedIn: () => void;
}

/** ACC-1: asking for an account, by invitation or, where the operator allows it, without one. */
export function SignUpScreen({ token, isOpen, isMailSent, signInHref, onSignedIn }: SignUpScreenProps) {
  const call = useCall();
  const session = useSession();
  const isHydrated = useHydrated();
  const { invitation, retry } = useInvitation(isHydrated ? token : null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  useLeaveWhenSignedIn(onSignedIn);

  const send = async ({ name, email, password }: SignUpInput) => {
    await call(register, {
      body: {
        name,
        email,
        password,
        password_confirmation: password,
        ...(token === null ? {} : { invitation: token }),
      },
    });
    // Another back end may sign a person in at once; ours waits for the link.
    await session.refresh();
    setSentTo(email.trim());
  };

  const hasForm = invitation === null ? isOpen : invitation.status === 'open';
  return (
    <AuthPage
      title={sentTo === null ? 'Sign up' : isMailSent ? 'Check your email' : 'Ask for your link'}
      work="Signing up"
      isAnswer={sentTo !== null}
      foot={
        <span>
          Have an account? <Link href={signInHref}>Sign in</Link>
        </span>
      }
    >
      {!isHydrated && <Skeleton shape="text" />}
      {sentTo !== null && (
        <LinkSent email={sentTo} isMailSent={isMailSent} isInvited={token !== null} onBack={() => setSentTo(null)} />
      )}
      {isHydrated && !hasForm && <NoForm invitation={invitation} isOpen={isOpen} onRetry={retry} />}
      {isHydrated && hasForm && (
        // Kept while it is not seen: whoever mistyped the address goes back to what they entered.
        <div hidden={sentTo !== null}>
          <div className="in-form">
            {invitation?.status === 'open' && <Invited {...invitation} />}
            <SignUpForm mailedTo={invitation?.status === 'open' ? invitation.email : ''} onSend={send} />
          </div>
        </div>
      )}
    </AuthPage>
  );
}

function Invited({ facilityName, expiresAt }: { facilityName: string; expiresAt: string }) {
  const zone = deviceZone();
  const day = formatDay(dayIn(zone, Date.parse(expiresAt)), dayIn(zone, serverNow()));
  return (
    <p>
      <b>{facilityName}</b> invites you. The invitation is for one person and lasts until {day}.
    </p>
  );
}

interface NoFormProps {
  readonly invitation: InvitationState | null;
  readonly isOpen: boolean;
  readonly onRetry: () => void;
}

/** Why there is nothing to fill in, and what to do about it. */
function NoForm({ invitation, isOpen, onRetry }: NoFormProps) {
  switch (invitation?.status) {
    case 'loading':
      return <Skeleton shape="text" label="Loading the invitation" />;
    case 'failed':
      return <ErrorState title="The invitation could not be loaded" message={invitation.text} onRetry={onRetry} />;
    case 'gone':
      return (
        <>
          <Banner tone="warning" title="This invitation is no longer valid.">
            It was used, withdrawn, or is older than 7 days.
          </Banner>
          <p>Ask the person who sent it for a new one.</p>
          {isOpen && (
            <p>
              Or <Link href="/sign-up">sign up without an invitation</Link>.
            </p>
          )}
        </>
      );
    default:
      return (
        <>
          <p>You need an invitation to sign up. An administrator of your facility can send you one as a link.</p>
          <p>
            Not sure who to ask? <Link href="/contacts">Contacts</Link> lists who runs this installation.
          </p>
        </>
      );
  }
}

interface LinkSentProps {
  readonly email: string;
  readonly isMailSent: boolean;
  readonly isInvited: boolean;
  readonly onBack: () => void;
}

function LinkSent({ email, isMailSent, isInvited, onBack }: LinkSentProps) {
  return (
    <>
      {isMailSent ? (
        <p>
          We sent a link to <b className="breaks">{email}</b>. Open it in this browser within 24 hours, then sign in
          with your password.
        </p>
      ) : (
        // It says of the installation, not of the address: the same to everybody.
        <Banner tone="warning" title="No mail server is set here, so the email reaches no one.">
          Ask your administrator to set one, or to give you the link from the email. It is good for 24 hours.
        </Banner>
      )}
      <p className="muted">
        {isMailSent && 'No email? Check your spam folder, or go back and check the address. '}What you entered is kept
        {isInvited ? ', and your invitation stays valid until you have joined.' : '.'}
      </p>
      <Button variant="outline" color="neutral" size="lg" isFullWidth onClick={onBack}>
        Back
      </Button>
    </>
  );
}

type InvitationState =
  | { readonly status: 'loading' }
  | { readonly status: 'open'; readonly facilityName: string; readonly expiresAt: string; readonly email: string }
  /** Used, revoked, too old, or never was one. */
  | { readonly status: 'gone' }
  | { readonly status: 'failed'; readonly text: string };

/** Where an invitation leads; null without one. */
function useInvitation(token: string | null): { invitation: InvitationState | null; retry: () => void } {
  const call = useCall();
  const [invitation, setInvitation] = useState<InvitationState>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (token === null) return;
    const ending = new AbortController();
    const tell = (state: InvitationState) => !ending.signal.aborted && setInvitation(state);
    tell({ status: 'loading' });
    call(showInvitation, { params: { token }, signal: ending.signal }).then(
      ({ facility_name, expires_at, email }) =>
        tell({ status: 'open', facilityName: facility_name, expiresAt: expires_at, email: email ?? '' }),
      (error) => tell(isLinkGone(error) ? { status: 'gone' } : { status: 'failed', text: formatAction(error) }),
    );
    return () => ending.abort();
  }, [call, token, attempt]);
  return { invitation: token === null ? null : invitation, retry: () => setAttempt(attempt + 1) };
}
