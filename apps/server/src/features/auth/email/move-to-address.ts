import { voidResetLinks } from '#/features/auth/password/password-reset-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { deleteEmailChange } from '#/features/auth/account/account-queries.ts';
import { verifyAddress } from './email-change-queries.ts';

export interface MoveToAddressDeps {
  readonly identityChanged: (userId: string) => void | Promise<void>;
  readonly nudgeJobs: () => void;
}

/**
 * Makes an address the person's own and verified, and has the one before told. False when it is somebody else's: the
 * change is then forgotten.
 */
export async function moveToAddress(
  { identityChanged, nudgeJobs }: MoveToAddressDeps,
  ctx: RequestContext<Actor | null>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<boolean> {
  return ctx.write('email.verify', async (tx) => {
    const audit = { objectType: 'user', objectId: userId };
    await deleteEmailChange(tx, userId);
    const before = await verifyAddress(tx, { userId, email });
    if (before === undefined) return { result: false, audit: { ...audit, detail: { is_taken: true } } };
    await voidResetLinks(tx, userId);
    const isOther = before !== email;
    if (isOther) await enqueueJob(tx, { kind: 'auth.email_changed', payload: { old_email: before } });
    return {
      result: true,
      audit: { ...audit, detail: { is_other: isOther } },
      afterCommit: () => {
        nudgeJobs();
        return identityChanged(userId);
      },
    };
  });
}
