import type { deleteAccount as endpoint } from '@wardline/contract/account/own-data.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { type EndSessions, endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { newSessionId } from '#/platform/http/session-cookie.ts';
import { createWriteWithin } from '#/platform/http/writes/write.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import type { AccountEnding } from './account-ending.ts';
import { isLastOperator } from './get-account-deletion.ts';

interface DeleteAccountDeps {
  readonly endSessions: EndSessions;
  readonly ending: AccountEnding;
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

/** Shown after the name of who is gone, wherever it stands. */
const GONE = ' (account deleted)';

/**
 * Deletes one's own account, at once and for good: nothing signs in, is told or is called any more, and the address is free. The
 * person stays the author of what they signed, wrote and did, under the name they had.
 */
export function deleteAccount({ endSessions, ending, identityChanged }: DeleteAccountDeps) {
  return async (ctx: RequestContext, { body }: { body: BodyOf<typeof endpoint> }): Promise<undefined> => {
    const { userId, email, credential } = ctx.actor;
    if (body.email !== email) throw invalidField('email', 'This is not the address of your account.');
    // In the end they are a member of nothing, and what they leave may be in facilities of which this session is shown nothing.
    await asSystem('membership', () =>
      ctx.write('account.delete', async (tx) => {
        await mustNotBeLastOperator(tx, userId);
        const left = await ending.leave(tx, userId);
        if (!(await lockUser(tx, userId))) throw new AppError('unauthenticated');
        const ended = await endCredentialsOf(tx, { userId, keep: null });
        await forgetPerson(tx, userId);
        await enqueueJob(tx, { kind: 'auth.account_deleted', payload: { old_email: email } });
        const about = { objectType: 'user', objectId: userId };
        // One for each facility too, where its administrator looks.
        const write = createWriteWithin(tx, ctx);
        for (const { id } of left) {
          await write('account.delete', async () => ({ result: undefined, audit: { ...about, facilityId: id } }));
        }
        return {
          result: undefined,
          audit: { ...about, detail: { sessions: ended.length, facilities: left.length } },
          publish: left.flatMap(({ changes }) => changes),
          async afterCommit() {
            endSessions(keysOf(ended));
            await identityChanged(userId);
          },
        };
      }),
    );
    if (credential.kind === 'session') ctx.http.startSession(newSessionId(), null);
  };
}

/** Two who are the last two do not go at once: the one row that every installation has is held. */
async function mustNotBeLastOperator(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx.selectFrom('installation').select('id').forNoKeyUpdate().execute();
  if (!(await isLastOperator(tx, userId))) return;
  throw new AppError('conflict', {
    message: 'You are the last system administrator of this installation. Someone else must become one first.',
  });
}

/** What only the person needs. Their pictures, copies of their data and unsent files are in no list any more: a clean-up takes them. */
async function forgetPerson(tx: DatabaseTransaction, userId: string): Promise<void> {
  for (const table of [
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'sso_links',
    'sso_attempts',
    'scim_users',
    'email_changes',
    'password_resets',
    'notification_settings',
    'chat_notifications',
    'census_assignments',
    'last_seen',
  ] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  await tx
    .updateTable('users')
    .set({
      name: sql`name || ${GONE}`,
      email: `${userId}@deleted.invalid`,
      ...{ password_hash: '', has_short_password: false, password_changed_at: null },
      ...{ email_verified_at: null, avatar_key: null, is_operator: false },
      ...{ disabled_at: sql`now()`, deleted_at: sql`now()`, updated_at: sql`now()` },
    })
    .where('id', '=', userId)
    .execute();
}
