// An application of somebody else's, built on the packed client alone: packed-client.spec.ts installs, builds and uses it.
import { pageState } from '@wardline/client/browser/page-state';
import { checkConfig } from '@wardline/client/check-config';
import { channel } from '@wardline/client/contract/channel';
import { createEmitter } from '@wardline/client/emitter';
import { createCall } from '@wardline/client/http/call';
import type { ClientEvents } from '@wardline/client/http/call-events';
import { fetchJson } from '@wardline/client/http/fetch-json';
import { createLog } from '@wardline/client/log';
import { createRealtime, type Realtime } from '@wardline/client/realtime/realtime';
import { createSession, type Session } from '@wardline/client/session/session';
import { useObservable } from '@wardline/client/use-observable';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';

const ownChannel = channel({
  kind: 'private',
  pattern: 'App.Models.User.{user}',
  param: 'user',
  events: { ShiftChanged: z.object({ ward: z.string() }) },
});

async function start(): Promise<void> {
  const log = createLog({ level: 'info' });
  const config = checkConfig(await fetchJson('/config.json'));
  const events = createEmitter<ClientEvents>();
  const call = createCall({ config, log, onEvent: (name, payload) => events.emit(name, payload) });
  const session = createSession({ config, call, events, log, online: pageState().online, prefix: 'shifts' });
  const realtime = createRealtime({ config, call, log });
  await session.load();
  const place = document.getElementById('app');
  if (place !== null) createRoot(place).render(<Shifts session={session} realtime={realtime} />);
}

function Shifts({ session, realtime }: { session: Session; realtime: Realtime }) {
  const state = useObservable(session);
  if (state.status !== 'signed-in') return <SignIn session={session} />;
  const { id, name, email } = state.user;
  return (
    <main>
      <h1>Shifts</h1>
      <p>
        {name}, {email}, number {id}
      </p>
      <Changes user={id} realtime={realtime} />
      <button type="button" onClick={() => session.signOut()}>
        Sign out
      </button>
    </main>
  );
}

function Changes({ user, realtime }: { user: string; realtime: Realtime }) {
  const [line, setLine] = useState('Connecting');
  useEffect(() => {
    const joined = realtime.join(ownChannel, user, {
      events: { ShiftChanged: ({ ward }) => setLine(`Changed: ${ward}`) },
      onSubscribed: () => setLine('Listening'),
    });
    return () => joined.leave();
  }, [realtime, user]);
  return <p role="status">{line}</p>;
}

function SignIn({ session }: { session: Session }) {
  const [failure, setFailure] = useState('');
  const send = (form: FormData) =>
    session
      .signIn(String(form.get('email')), String(form.get('password')), { ownDevice: true })
      .catch((error: Error) => setFailure(error.message));
  return (
    <form action={send}>
      <h1>Sign in</h1>
      <label>
        Email <input name="email" type="email" autoComplete="username" />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button type="submit">Sign in</button>
      <p role="alert">{failure}</p>
    </form>
  );
}

void start();
