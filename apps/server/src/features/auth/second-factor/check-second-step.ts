import type { SecondStep } from '@wardline/contract/account/second-factor.ts';
import type { KnownDevices } from '#/features/auth/credentials/known-device.ts';
import type { SignInLimits } from '#/features/auth/credentials/sign-in-limits.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import type { RecoveryCodes } from './recovery-codes.ts';
import { factorChangeJob, findTotp, takeRecoveryCode, takeTotpStep } from './second-factor-queries.ts';
import type { Totp } from './totp.ts';

export interface SecondStepCheck {
  readonly devices: KnownDevices;
  /** Of second steps alone: who guesses codes knows the password, and does not keep its owner from signing in. */
  readonly stepLimits: SignInLimits;
  readonly totp: Totp;
  readonly recoveryCodes: RecoveryCodes;
}

export interface CheckedStep {
  readonly method: 'totp' | 'recovery_code';
  /** Called in the transaction that acts on the check: takes the one use of the code, or refuses. */
  take(tx: Transaction): Promise<void>;
}

interface Owner {
  readonly userId: string;
  readonly email: string;
}

type Context = Pick<RequestContext<Actor | null>, 'db' | 'http' | 'write'>;

const WRONG = {
  code: 'This code is wrong or was used already. Enter the one that your app shows now.',
  recovery_code: 'This recovery code is wrong or was used already.',
} as const;

/** Limits first, then the code; a refusal is audited under the account. */
export async function checkSecondStep(
  check: SecondStepCheck,
  ctx: Context,
  { userId, email }: Owner,
  given: SecondStep,
): Promise<CheckedStep> {
  const field = given.recovery_code ? 'recovery_code' : 'code';
  if (!given.recovery_code && !given.code) {
    throw new AppError('two_factor_required', { fields: { code: ['Enter the code of your authenticator app.'] } });
  }
  const device = check.devices.find(ctx.http.device, email);
  const attempt = await check.stepLimits.begin(userId, { ip: ctx.http.ip, device });
  ctx.http.noteQuota(attempt.quota);
  const found = given.recovery_code
    ? await findByRecoveryCode(check, ctx, userId, given.recovery_code)
    : await findByTotp(check, ctx, userId, given.code ?? '');
  if (found === null) {
    const audit = { objectType: 'user', objectId: userId, outcome: 'refused', detail: { method: field } } as const;
    await ctx.write('second_factor.refused', async () => ({ result: undefined, audit }));
    throw invalidField(field, WRONG[field]);
  }
  await attempt.succeeded();
  return found;
}

async function findByTotp(
  { totp }: SecondStepCheck,
  { db }: Context,
  userId: string,
  code: string,
): Promise<CheckedStep | null> {
  const secret = (await findTotp(db, userId))?.secret ?? null;
  const step = secret === null ? null : totp.stepOf(userId, secret, code);
  if (secret === null || step === null) return null;
  return {
    method: 'totp',
    async take(tx) {
      if (!(await takeTotpStep(tx, { userId, secret, step }))) throw invalidField('code', WRONG.code);
    },
  };
}

async function findByRecoveryCode(
  { recoveryCodes }: SecondStepCheck,
  { db }: Context,
  userId: string,
  code: string,
): Promise<CheckedStep | null> {
  const hash = recoveryCodes.hashOf(userId, code);
  const known = await db
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  if (!known) return null;
  return {
    method: 'recovery_code',
    async take(tx) {
      if (!(await takeRecoveryCode(tx, { userId, hash }))) throw invalidField('recovery_code', WRONG.recovery_code);
      await enqueueJob(tx, factorChangeJob(userId, 'recovery_code_used'));
    },
  };
}
