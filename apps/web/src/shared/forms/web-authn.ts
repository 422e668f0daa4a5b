import { ApiError } from '@wardline/client/http/api-error.ts';

type Json = Record<string, unknown>;

/** Has the browser make a passkey of what the server asks for. Rejects with an ApiError that says what happened. */
export async function makePasskey(options: Json): Promise<Json> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return await said(
    startRegistration({ optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
    'No passkey was added.',
  );
}

/** Has the browser answer with a passkey that its person chooses. */
export async function askPasskey(options: Json): Promise<Json> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return await said(
    startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    }),
    'No passkey was used.',
  );
}

async function said(asked: Promise<object>, notDone: string): Promise<Json> {
  try {
    return { ...(await asked) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const text =
      name === 'InvalidStateError'
        ? 'This device has a passkey for your account already.'
        : name === 'NotAllowedError' || name === 'AbortError'
          ? notDone
          : `${notDone} This browser or device can’t do it here.`;
    throw new ApiError(text, { status: 0, code: 'passkey', kind: 'final', cause: error });
  }
}
