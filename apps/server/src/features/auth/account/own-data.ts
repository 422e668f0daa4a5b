import { type RawBuilder, sql } from 'kysely';
import type { OwnDataList } from '#/platform/own-data.ts';

/** The account and what signs in to it: names, kinds and times, and nothing that opens anything. */
export const ownData: readonly OwnDataList[] = [
  {
    name: 'account',
    query: ({ userId, after, limit }) => sql`
      select u.id::text as place, jsonb_build_object(
        'id', u.id, 'name', u.name, 'email', u.email, 'email_verified_at', u.email_verified_at,
        'pending_email', (select c.email from email_changes c where c.user_id = u.id and c.expires_at > now()),
        'password_changed_at', u.password_changed_at, 'created_at', u.created_at,
        'has_picture', u.avatar_key is not null, 'is_system_administrator', u.is_operator,
        'last_seen_at', (select l.seen_at from last_seen l where l.user_id = u.id)) as row
      from users u where u.id = ${userId} and ${after}::text is null limit ${limit}`,
  },
  {
    name: 'sessions',
    query: (page) =>
      afterId(
        page,
        sql`
        select s.id, jsonb_build_object(
          'id', s.id, 'browser', s.user_agent, 'address', host(s.ip), 'own_device', s.remember,
          'from', s.created_at, 'last_active_at', s.last_active_at, 'until', s.expires_at) as row
        from sessions s where s.user_id = ${page.userId} and s.expires_at > now()`,
      ),
  },
  {
    name: 'access_tokens',
    query: (page) =>
      afterId(
        page,
        sql`
        select t.id, jsonb_build_object(
          'id', t.id, 'name', t.name, 'from', t.created_at, 'last_used_at', t.last_used_at, 'until', t.expires_at) as row
        from access_tokens t where t.user_id = ${page.userId} and t.expires_at > now()`,
      ),
  },
  {
    name: 'second_factors',
    query: ({ userId, after, limit }) => sql`
      select kind as place, jsonb_build_object(
        'kind', kind, 'name', name, 'from', since, 'last_used_at', last_used_at, 'left', remaining) as row
      from (
        select 'authenticator_app' as kind, null as name, t.confirmed_at as since, null::timestamptz as last_used_at,
          null::bigint as remaining
        from totp_factors t where t.user_id = ${userId} and t.confirmed_at is not null
        union all
        select 'recovery_codes', null, min(c.created_at), null, count(*)
        from recovery_codes c where c.user_id = ${userId} having count(*) > 0
        union all
        select 'passkey', k.name, k.created_at, k.last_used_at, null from passkeys k where k.user_id = ${userId}
      ) factor where ${after}::text is null order by since limit ${limit}`,
  },
  {
    name: 'sign_in_providers',
    query: ({ userId, after, limit }) => sql`
      select l.issuer as place, jsonb_build_object(
        'provider', l.issuer, 'name_there', l.subject, 'from', l.created_at, 'last_used_at', l.last_used_at) as row
      from sso_links l where l.user_id = ${userId} and ${after}::text is null limit ${limit}`,
  },
];

/** The rows of a query with an `id`, in its order. */
function afterId(
  { after, limit }: Parameters<OwnDataList['query']>[0],
  query: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select of_person.id::text as place, of_person.row from (${query}) of_person
    where ${after}::uuid is null or of_person.id > ${after}::uuid order by of_person.id limit ${limit}`;
}
