import type { BodyOf, ParamsOf } from '@wardline/contract/endpoint.ts';
import type {
  setFacilityPolicies as endpoint,
  FacilitySettings,
} from '@wardline/contract/facilities/facility-settings.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { lockAndFindOwn } from './core/role-queries.ts';
import { findSettings, mayManage } from './facility-settings.ts';
import { membersChanged } from './members/members-changed.ts';
import type { RemoveMemberDeps } from './members/remove-member.ts';

/**
 * From which day the members need a second factor, how soon a shared screen is covered, and whether what people wrote leaves with
 * them in a copy of their data. Who sets the day has given one
 * in this session, so that the facility stays open to somebody who can take it back. What it closes is closed at once.
 */
export function setPolicies({ rightsChanged }: RemoveMemberDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params, body }: { params: ParamsOf<typeof endpoint>; body: BodyOf<typeof endpoint> },
  ): Promise<FacilitySettings> => {
    const { facility: facilityId } = params;
    mayManage(actor, facilityId);
    return write('facility.set_policies', async (tx) => {
      await lockAndFindOwn(tx, { facilityId, userId: actor.userId }, 'facility.manage');
      const standing = await findSettings(tx, facilityId);
      const { expected_version, ...given } = body;
      const { second_factor_from, idle_lock_minutes } = given;
      const own_texts_in_copies = given.own_texts_in_copies ?? standing.own_texts_in_copies ?? false;
      if (standing.version !== expected_version) {
        throw new AppError('conflict', { message: 'Someone else changed the facility in the meantime.' });
      }
      const isRuleNew = standing.second_factor_from !== second_factor_from;
      const isSame =
        standing.idle_lock_minutes === idle_lock_minutes && standing.own_texts_in_copies === own_texts_in_copies;
      if (!isRuleNew && isSame) return { result: standing, audit: null };
      if (isRuleNew && second_factor_from !== null) {
        if (!isDay(second_factor_from)) throw invalidField('second_factor_from', 'This is not a date.');
        await mustHaveGivenFactor(tx, actor.credential);
      }
      if (isRuleNew) await openChatsAgain(tx, facilityId, second_factor_from);
      await tx
        .updateTable('facilities')
        .set({
          ...{ second_factor_from, idle_lock_minutes, own_texts_in_copies },
          ...{ version: standing.version + 1, updated_at: sql`now()` },
        })
        .where('id', '=', facilityId)
        .execute();
      return {
        result: await findSettings(tx, facilityId),
        audit: { facilityId, detail: { second_factor_from, idle_lock_minutes, own_texts_in_copies } },
        ...(await membersChanged(tx, { facilityId, rightsChanged })),
      };
    });
  };
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const given = typedRows<{ is_given: boolean }>({ is_given: 'boolean' });

/** Asked of the session or token as it is stored now. */
async function mustHaveGivenFactor(
  tx: DatabaseTransaction,
  { key }: RequestContext['actor']['credential'],
): Promise<void> {
  const hash = Buffer.from(key, 'hex');
  const found = await given.first(
    tx,
    sql`
      select c.second_factor_at is not null and (
        exists (select from totp_factors t where t.user_id = c.user_id and t.confirmed_at is not null)
        or exists (select from passkeys k where k.user_id = c.user_id)) as is_given
      from (
        select user_id, second_factor_at from sessions where id_hash = ${hash}
        union all
        select user_id, second_factor_at from access_tokens where token_hash = ${hash}
      ) c`,
  );
  if (found?.is_given) return;
  throw invalidField('second_factor_from', 'Set up a second factor for yourself first, and sign in with it.');
}

/** Where the rule was in force and is no more, devices find the chats again in what changed. */
async function openChatsAgain(tx: DatabaseTransaction, facilityId: string, from: string | null): Promise<void> {
  await sql`
    update chat_participants p set notify = p.notify
    from facilities f
    where f.id = ${facilityId} and p.facility_id = f.id and p.left_at is null
      and (now() at time zone f.time_zone)::date >= f.second_factor_from
      and not coalesce((now() at time zone f.time_zone)::date >= ${from}::date, false)`.execute(tx);
}
