import type { answerTwoFactorChallenge as endpoint } from '@wardline/contract/account/second-factor.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { checkSecondStep, type SecondStepCheck } from '#/features/auth/second-factor/check-second-step.ts';
import { lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { type AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type FinishSignInDeps, finishSignIn } from './finish-sign-in.ts';
import { findPendingSignIn, takePendingSignIn } from './pending-sign-in.ts';

interface AnswerChallengeDeps extends FinishSignInDeps {
  readonly secondStep: SecondStepCheck;
}

/** The second step of the sign-in that was begun in this browser within ten minutes. */
export function answerChallenge(parts: AnswerChallengeDeps) {
  return async (ctx: RequestContext<Actor | null>, { body }: { body: BodyOf<typeof endpoint> }): Promise<undefined> => {
    const { sessionId } = ctx.http;
    const pending = sessionId === null ? undefined : await findPendingSignIn(ctx.db, sessionId);
    if (sessionId === null || !pending) throw tooLate(body);
    const { user_id: userId, email, remember } = pending;
    const step = await checkSecondStep(parts.secondStep, ctx, { userId, email }, body);
    await finishSignIn(parts, ctx, {
      ...{ userId, email, remember, second: step.method },
      async confirm(tx) {
        if (!(await lockUser(tx, userId)) || !(await takePendingSignIn(tx, sessionId))) throw tooLate(body);
        await step.take(tx);
      },
    });
  };
}

function tooLate(body: BodyOf<typeof endpoint>): AppError {
  const field = body.recovery_code ? 'recovery_code' : 'code';
  return invalidField(field, 'This took too long. Go back and enter your password again.');
}
