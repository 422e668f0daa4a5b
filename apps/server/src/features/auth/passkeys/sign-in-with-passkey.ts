import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type * as contract from '@wardline/contract/account/passkeys.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type FinishSignInDeps, finishSignIn } from '#/features/auth/sessions/finish-sign-in.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { type AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { type PasskeyDeps, requireParty } from './add-passkey.ts';
import { findPasskey, notePasskeyUse, putChallenge, takeChallenge } from './passkey-queries.ts';
import { verifyAnswer } from './verify-answer.ts';

type Context = RequestContext<Actor | null>;

interface PasskeySignInDeps extends FinishSignInDeps, Pick<PasskeyDeps, 'relyingParty'> {
  readonly limits: Pick<AccountLimits, 'passkeys'>;
}

/** Names no account: the browser offers what it has, and so tells nobody who has an account here (A3). */
export function beginPasskeySignIn({ relyingParty, limits }: PasskeySignInDeps) {
  return async ({ db, http }: Context): Promise<ReplyOf<typeof contract.beginPasskeySignIn>> => {
    const { id: rpID } = requireParty(relyingParty());
    if (http.sessionId === null) throw notTaken();
    await limits.passkeys.take(placeOf(http.ip));
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
    const { challenge } = options;
    await putChallenge(db, { sessionHash: hashSecret(http.sessionId), purpose: 'sign_in', challenge });
    return { ...options };
  };
}

/** A passkey is something one has, opened by something one is or knows: it needs no password and no second step. */
export function signInWithPasskey(parts: PasskeySignInDeps) {
  return async (ctx: Context, { body }: { body: BodyOf<typeof contract.signInWithPasskey> }): Promise<undefined> => {
    const party = requireParty(parts.relyingParty());
    const { sessionId } = ctx.http;
    if (sessionId === null) throw notTaken();
    await parts.limits.passkeys.take(placeOf(ctx.http.ip));
    const challenge = await takeChallenge(ctx.db, { sessionHash: hashSecret(sessionId), purpose: 'sign_in' });
    const passkey = challenge === undefined ? undefined : await findAnswered(ctx, body.credential);
    const counter = passkey && (await verifyAnswer(party, { challenge, passkey, credential: body.credential }));
    if (passkey === undefined || counter === undefined || counter === null) {
      const whose = passkey ? { objectType: 'user', objectId: passkey.user_id } : {};
      const audit = { ...whose, outcome: 'refused' } as const;
      await ctx.write('passkey.refused', async () => ({ result: undefined, audit }));
      throw notTaken();
    }
    const { user_id: userId, email } = passkey;
    await finishSignIn(parts, ctx, {
      ...{ userId, email, remember: body.remember ?? false, second: 'passkey' },
      async confirm(tx) {
        if (!(await lockUser(tx, userId)) || !(await notePasskeyUse(tx, passkey, counter))) throw notTaken();
      },
    });
  };
}

async function findAnswered({ db }: Context, credential: Readonly<Record<string, unknown>>) {
  const { id } = credential;
  return typeof id === 'string' && id.length <= 2048 ? findPasskey(db, Buffer.from(id, 'base64url')) : undefined;
}

function notTaken(): AppError {
  return invalidField('credential', 'This passkey was not accepted. Sign in with your password.');
}
