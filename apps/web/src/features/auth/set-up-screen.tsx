import { FacilityCode } from '@wardline/contract/facilities/facility-settings.ts';
import { setUp, showSetUp } from '@wardline/contract/facilities/set-up.ts';
import { Email, NewPassword } from '@wardline/contract/values.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { checkBy } from '#/shared/forms/fields/check-by.ts';
import { checkZone } from '#/shared/forms/fields/find-zone.ts';
import { NewPasswordField } from '#/shared/forms/fields/new-password-field.tsx';
import { PlaceFields } from '#/shared/forms/fields/place-fields.tsx';
import { checkPlace, readPlace } from '#/shared/forms/fields/read-place.ts';
import { ZoneField } from '#/shared/forms/fields/zone-field.tsx';
import { formatAction, isLinkGone } from '#/shared/forms/form-errors.ts';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';
import { AuthPage } from './core/auth-page.tsx';
import { EmailField } from './core/email-field.tsx';
import { useSession } from './core/session-context.tsx';

interface SetUpScreenProps {
  /** The secret of the link that the server printed. */
  readonly token: string;
  /** Set up, and signed in as the first administrator. */
  readonly onDone: () => void;
}

/** A51: the first administrator and the first facility of an installation, by the link in the server's log. */
export function SetUpScreen({ token, onDone }: SetUpScreenProps) {
  const { state, retry } = useSetUpLink(token);
  const [goesOnAt, setGoesOnAt] = useState<string | null>(null);
  if (goesOnAt !== null) {
    return (
      <AuthPage title="Set up" isAnswer>
        <p>
          Everything is set up. From now on it is used at <b className="breaks">{goesOnAt}</b>: sign in there with your
          email and password.
        </p>
        <Button asChild size="lg" isFullWidth>
          <a href={`${goesOnAt}/sign-in`}>Sign in</a>
        </Button>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Set up" work="Setting up">
      {state === 'loading' && <Skeleton shape="text" label="Loading the set-up" />}
      {state === 'gone' && <LinkGone />}
      {state === 'open' && <SetUpForm token={token} onDone={onDone} onMoved={setGoesOnAt} />}
      {typeof state === 'object' && (
        <ErrorState title="The set-up could not be loaded" message={state.failure} onRetry={retry} />
      )}
    </AuthPage>
  );
}

function LinkGone() {
  return (
    <>
      <Banner tone="warning" title="This set-up link is not valid here.">
        It was used, the server has started again since, or this is another machine than the server’s.
      </Banner>
      <p>
        While nobody administers the installation, each start prints a new link into the server’s log. Open it in a
        browser on that machine, or through a tunnel to it.
      </p>
    </>
  );
}

const NAMES = [
  'name',
  'email',
  'password',
  'facility_name',
  'facility_code',
  'time_zone',
  'census_time',
  'latitude',
  'longitude',
] as const;

function SetUpForm({ token, onDone, onMoved }: SetUpScreenProps & { readonly onMoved: (to: string) => void }) {
  const call = useCall();
  const session = useSession();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [zone, setZone] = useState(deviceZone);
  const { props, error, isBusy } = useForm({
    names: NAMES,
    required: {
      name: 'Enter your name.',
      email: 'Enter your email.',
      password: 'Choose a password.',
      facility_name: 'Enter the name of the facility.',
      facility_code: 'Enter a short name.',
      time_zone: 'Choose a time zone.',
      census_time: 'Enter the census hour.',
    },
    check: ({ email, password, facility_code, time_zone, latitude, longitude }) => ({
      email: checkBy(Email, email),
      password: checkBy(NewPassword, password),
      facility_code: checkBy(FacilityCode, facility_code),
      time_zone: checkZone(time_zone),
      ...checkPlace({ latitude, longitude }),
    }),
    async send({ latitude, longitude, ...values }) {
      const place = readPlace({ latitude, longitude });
      const body = { ...values, ...place, password_confirmation: values.password };
      const { goes_on_at } = await call(setUp, { params: { token }, body });
      if (goes_on_at !== null) return onMoved(goes_on_at);
      await session.refresh();
      onDone();
    },
  });
  const { fields } = error;
  return (
    <form className="in-form" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <p>Nobody runs this installation yet. You become its first administrator, and make its first facility.</p>
      <h2 className="t16">You</h2>
      <TextInput
        label="Name"
        name="name"
        inputSize="lg"
        autoComplete="name"
        maxLength={120}
        help="The name your colleagues know."
        error={fields.name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <EmailField error={fields.email} onInput={(event) => setEmail(event.currentTarget.value)} />
      <NewPasswordField inputSize="lg" error={fields.password} name={name} email={email} />
      <h2 className="t16">The facility</h2>
      <TextInput
        label="Facility name"
        name="facility_name"
        inputSize="lg"
        autoComplete="organization"
        maxLength={120}
        error={fields.facility_name}
      />
      <TextInput
        label="Short name"
        name="facility_code"
        inputSize="lg"
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={4}
        help="2 to 4 letters or digits, for narrow places and files."
        error={fields.facility_code}
      />
      <ZoneField inputSize="lg" value={zone} error={fields.time_zone} onChange={setZone} />
      <TextInput
        label="Census hour"
        name="census_time"
        type="time"
        inputSize="lg"
        defaultValue="00:00"
        help="Midnight is the end of the census date."
        error={fields.census_time}
      />
      <PlaceFields inputSize="lg" errors={fields} />
      <SubmitButton isBusy={isBusy}>Set up</SubmitButton>
    </form>
  );
}

/** An address without one, or with a part of it, was not copied whole. */
const TOKEN_LENGTH = 43;

type LinkState = 'loading' | 'open' | 'gone' | { readonly failure: string };

function useSetUpLink(token: string): { state: LinkState; retry: () => void } {
  const call = useCall();
  const [state, setState] = useState<LinkState>('loading');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    const ending = new AbortController();
    const tell = (next: LinkState) => {
      if (!ending.signal.aborted) setState(next);
    };
    if (token.length !== TOKEN_LENGTH) return tell('gone');
    tell('loading');
    call(showSetUp, { params: { token }, signal: ending.signal }).then(
      () => tell('open'),
      (error) => tell(isLinkGone(error) ? 'gone' : { failure: formatAction(error) }),
    );
    return () => ending.abort();
  }, [call, token, attempt]);
  return { state, retry: () => setAttempt(attempt + 1) };
}
