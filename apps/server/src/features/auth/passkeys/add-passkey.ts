import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type * as contract from '@wardline/contract/account/passkeys.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { parse as parseUuid } from 'uuid';
import { openClosedFacilities } from '#/features/auth/second-factor/factor-rule.ts';
import { factorChangeJob, lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { RelyingParty } from '#/platform/config/relying-party.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { putChallenge, SHOWN, takeChallenge, toPasskey } from './passkey-queries.ts';

export interface PasskeyDeps {
  /** Null where browsers give this installation no passkeys; asked for late, as the address is. */
  readonly relyingParty: () => RelyingParty | null;
  readonly productName: string;
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

const MOST = 20;

/** A challenge for this session, and what the passkey is to be: kept by the device, and opened by its own lock. */
export function beginPasskey({ relyingParty, productName }: PasskeyDeps) {
  return async ({ actor, db }: RequestContext): Promise<ReplyOf<typeof contract.beginPasskey>> => {
    const { id: rpID } = requireParty(relyingParty());
    const known = await db
      .selectFrom('passkeys')
      .select(['credential_id', 'transports'])
      .where('user_id', '=', actor.userId)
      .execute();
    if (known.length >= MOST) throw tooMany();
    const options = await generateRegistrationOptions({
      ...{ rpID, rpName: productName, userName: actor.email, userDisplayName: actor.name },
      userID: new Uint8Array(parseUuid(actor.userId)),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map((row) => ({
        id: row.credential_id.toString('base64url'),
        transports: row.transports,
      })),
    });
    await putChallenge(db, { sessionHash: keyOf(actor), purpose: 'register', challenge: options.challenge });
    return { ...options };
  };
}

export function createPasskey({ relyingParty, identityChanged }: PasskeyDeps) {
  return async (
    ctx: RequestContext,
    { body }: { body: BodyOf<typeof contract.createPasskey> },
  ): Promise<ReplyOf<typeof contract.createPasskey>> => {
    const { userId } = ctx.actor;
    const challenge = await takeChallenge(ctx.db, { sessionHash: keyOf(ctx.actor), purpose: 'register' });
    const made = await verify(requireParty(relyingParty()), challenge, body.credential);
    return ctx.write('passkey.add', async (tx) => {
      await lockUser(tx, userId);
      const held = await tx.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute();
      // Several sessions may each have begun one below the limit.
      if (held.length >= MOST) throw tooMany();
      const row = await tx
        .insertInto('passkeys')
        .values({
          ...{ id: newId(), user_id: userId, name: body.name },
          credential_id: Buffer.from(made.id, 'base64url'),
          public_key: Buffer.from(made.publicKey),
          counter: made.counter,
          transports: (made.transports ?? []).slice(0, 10),
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning(SHOWN)
        .executeTakeFirst();
      if (!row) throw notMade();
      const publishToAll = await openClosedFacilities(tx, ctx.actor);
      await enqueueJob(tx, factorChangeJob(userId, 'passkey_added'));
      return {
        result: toPasskey(row),
        audit: { objectType: 'passkey', objectId: row.id },
        publishToAll,
        afterCommit: () => identityChanged(userId),
      };
    });
  };
}

/** Refuses what was forged, late, of another page or for another challenge, all with the same sentence. */
async function verify(party: RelyingParty, challenge: string | undefined, credential: unknown) {
  if (challenge === undefined) throw notMade();
  const verified = await verifyRegistrationResponse({
    response: credential as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw notMade();
  return verified.registrationInfo.credential;
}

export function requireParty(party: RelyingParty | null): RelyingParty {
  if (party === null) throw new AppError('not_found');
  return party;
}

function keyOf({ credential }: RequestContext['actor']): Buffer {
  return Buffer.from(credential.key, 'hex');
}

function tooMany(): AppError {
  return invalidField('name', `An account has ${MOST} passkeys at most. Remove one first.`);
}

function notMade(): AppError {
  return invalidField('credential', 'The passkey could not be added. Try again.');
}
