import { lastSeenOf } from '@wardline/contract/facilities/decide-presence.ts';
import type { SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Users } from '#/platform/db/types.ts';
import { AppError } from '#/platform/http/app-error.ts';

/** In whose name the server writes; nobody signs in with it, and nobody administers it. */
export const SERVER_ACCOUNT = '00000000-0000-7000-8000-000000000001';

/** The order of people, not of bytes; users_listed_idx has it. */
export const byName = sql`u.name collate "und-x-icu", u.id`;

interface AccountRow
  extends Pick<Selectable<Users>, 'id' | 'name' | 'email' | 'is_operator' | 'disabled_at' | 'disabled_reason'> {
  readonly facilities: SystemAccount['facilities'];
  readonly seen_s: number | null;
  readonly seen_days: number | null;
  readonly is_unused: boolean;
  readonly has_app: boolean;
  readonly passkeys: number;
  readonly providers: number;
  readonly open_sessions: number;
}

const accounts = typedRows<AccountRow>({
  ...{ id: 'string', name: 'string', email: 'string', is_operator: 'boolean' },
  ...{ disabled_at: 'date?', disabled_reason: 'string?', facilities: 'array', seen_s: 'number?', seen_days: 'number?' },
  is_unused: 'boolean',
  ...{ has_app: 'boolean', passkeys: 'number', providers: 'number', open_sessions: 'number' },
});

/** Accounts of `which` (a condition on `u`, with order and limit), with what is only counted for those. */
export async function findAccounts(
  db: Database | DatabaseTransaction,
  which: RawBuilder<unknown>,
): Promise<SystemAccount[]> {
  const query = sql`
    with page as (select u.* from users u where u.id <> ${SERVER_ACCOUNT} and ${which})
    select u.id, u.name, u.email, u.is_operator, u.disabled_at, u.disabled_reason,
      coalesce((
        select json_agg(json_build_object('id', f.id, 'name', f.name, 'roles', array(
          select r.name from membership_roles mr join roles r on r.id = mr.role_id
          where mr.membership_id = m.id order by r.name)) order by f.name, f.id)
        from memberships m join facilities f on f.id = m.facility_id where m.user_id = u.id and m.ended_at is null
      ), '[]') as facilities,
      extract(epoch from now() - l.seen_at)::float8 as seen_s,
      (now() at time zone 'UTC')::date - (l.seen_at at time zone 'UTC')::date as seen_days,
      l.user_id is null and u.created_at > now() - interval '7 days' as is_unused,
      exists (select from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as has_app,
      (select count(*)::integer from passkeys k where k.user_id = u.id) as passkeys,
      (select count(*)::integer from sso_links o where o.user_id = u.id) as providers,
      (select count(*)::integer from sessions s where s.user_id = u.id and s.expires_at > now())
        + (select count(*)::integer from access_tokens t where t.user_id = u.id and t.expires_at > now()
          and coalesce(t.last_used_at, t.created_at) > now() - interval '30 days') as open_sessions
    from page u left join last_seen l on l.user_id = u.id order by ${byName}`;
  return (await acrossFacilities(() => accounts.read(db, query))).map(toAccount);
}

export async function getAccount(tx: DatabaseTransaction, userId: string): Promise<SystemAccount> {
  const [account] = await findAccounts(tx, sql`u.id = ${userId}`);
  if (!account) throw new AppError('not_found');
  return account;
}

function toAccount(row: AccountRow): SystemAccount {
  const { disabled_at, disabled_reason, seen_s, seen_days, has_app, passkeys, providers, ...account } = row;
  return {
    ...account,
    disabled: disabled_at && { at: disabled_at.toISOString(), reason: disabled_reason },
    last_seen: seen_s === null || seen_days === null ? null : lastSeenOf({ secondsAgo: seen_s, daysAgo: seen_days }),
    second_factors: { app: has_app, passkeys, providers },
  };
}
