import { userChannel } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';

const needing = typedRows<{ name: string }>({ name: 'string' });

/** After a factor was removed: refuses where it was the last, and a facility of the person needs one by now. */
export async function mustKeepFactor(tx: DatabaseTransaction, userId: string): Promise<void> {
  const facility = await needing.first(
    tx,
    sql`
      select f.name from memberships m join facilities f on f.id = m.facility_id
      where m.user_id = ${userId} and m.ended_at is null and (now() at time zone f.time_zone)::date >= f.second_factor_from
        and not exists (select from totp_factors t where t.user_id = ${userId} and t.confirmed_at is not null)
        and not exists (select from passkeys k where k.user_id = ${userId})
      order by f.name limit 1`,
  );
  if (!facility) return;
  const message = `${facility.name} needs a second factor. Add another one before you remove this one.`;
  throw new AppError('conflict', { message });
}

/**
 * A second factor was shown in this session: facilities that were closed to it for want of one are open. Devices are told,
 * and find the chats of these facilities in what changed.
 */
export async function openClosedFacilities(tx: DatabaseTransaction, actor: Actor): Promise<Publication[]> {
  const { kind, key } = actor.credential;
  const hash = Buffer.from(key, 'hex');
  const given = { second_factor_at: sql<Date>`now()` };
  if (kind === 'session') await tx.updateTable('sessions').set(given).where('id_hash', '=', hash).execute();
  else await tx.updateTable('access_tokens').set(given).where('token_hash', '=', hash).execute();
  const opened = (actor.closedMemberships ?? []).flatMap((m) => (m.isDeactivated ? [] : m.facilityId));
  if (opened.length === 0) return [];
  await sql`
    update chat_participants set notify = notify
    where user_id = ${actor.userId} and facility_id = any(${opened}::uuid[]) and left_at is null`.execute(tx);
  return opened.map((facility_id) =>
    publication(userChannel, actor.userId, ['MembershipChanged', { facility_id, chat_id: null, change: 'changed' }]),
  );
}
