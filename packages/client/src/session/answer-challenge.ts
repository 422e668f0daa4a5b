import { answerTwoFactorChallenge, type SecondStep } from '@wardline/contract/second-factor.ts';
import type { Call } from '#/http/call.ts';

/** Cookie mode: gives the second step of a sign-in whose password this browser's session has given. */
export async function answerChallenge(call: Call, secondStep: SecondStep): Promise<void> {
  await call(answerTwoFactorChallenge, { body: secondStep });
}
