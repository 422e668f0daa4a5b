import { signInWithPasskey } from '@wardline/contract/account/passkeys.ts';
import { answerTwoFactorChallenge, type SecondStep } from '@wardline/contract/account/second-factor.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import type { Call } from '#/http/call.ts';

interface Answer {
  readonly secondStep: SecondStep | undefined;
  readonly passkey: BodyOf<typeof signInWithPasskey>['credential'] | undefined;
  readonly remember: boolean;
}

/** Cookie mode: a passkey's answer, or the second step of a sign-in whose password this browser's session has given. */
export async function answerChallenge(call: Call, { secondStep, passkey, remember }: Answer): Promise<void> {
  if (passkey) await call(signInWithPasskey, { body: { credential: passkey, remember } });
  else await call(answerTwoFactorChallenge, { body: secondStep ?? {} });
}
