import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inTurn } from '#/testing/nightly.ts';
import { payloadOf, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { type ActorName, clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { newAddress } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';

/** Every rule of every feature says yes to everybody: what is then kept from somebody, the database keeps. */
vi.mock('#/platform/http/authorization/authorize.ts', async (original) => ({
  ...(await original<typeof import('#/platform/http/authorization/authorize.ts')>()),
  can: () => true,
  authorize: () => undefined,
  authorizeToKnow: () => undefined,
}));

/** A directory's token that is taken for one of ours, though it was made by somebody of another facility. */
const taken = vi.hoisted((): { for: { facilityId: string; userId: string } | null } => ({ for: null }));
vi.mock('#/features/scim/scim-tokens.ts', async (original) => ({
  ...(await original<typeof import('#/features/scim/scim-tokens.ts')>()),
  findCaller: async () => taken.for && { tokenId: 'any', maker: taken.for, elsewhere: [] },
}));

/** And everybody is in every chat and may manage it, for whatever asks who is. */
const EVERYBODY = `
  create or replace view active_participants with (security_invoker = true) as
  select c.id as chat_id, u.id as user_id, c.facility_id, 'manage'::text as access, 0::bigint as joined_seq, 0::bigint as delivered_seq,
    0::bigint as read_seq, c.changed_xid, null::text as title, 0 as own_after_read, 'all'::text as notify,
    null::timestamptz as muted_until, 0::bigint as mention_seq, true as sound, null::uuid as emergency_id, null::uuid[] as role_ids,
    false as is_favorite
  from chats c cross join users u`;

/** The same for the view that has a wall of its own, which goes with the second one. */
const EVERYBODYS_CHATS = `
  drop view own_chats;
  create view own_chats with (security_invoker = true) as
  select c.*, u.id as user_id, c.direct_high as direct_user_id, 'manage'::text as access, null::uuid as emergency_id,
    0::bigint as joined_seq, 0::bigint as delivered_seq, 0::bigint as read_seq, 0 as own_after_read, 0::bigint as mention_seq,
    'all'::text as notify, null::timestamptz as muted_until, true as sound, false as is_favorite, null::bigint as marked_unread_seq
  from chats c cross join users u;
  grant select on own_chats to wardline_app`;

const OTHER_STRANGERS: readonly ActorName[] = ['operator', 'former member'];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  taken.for = { facilityId: world.ours.facility.id, userId: world.theirs.entitled.id };
  await sql.raw('drop view active_participants').execute(world.server.db);
  await sql.raw(`${EVERYBODY}; grant select on active_participants to wardline_app`).execute(world.server.db);
}, 120_000);
afterAll(() => world.server.close());

async function payloadFor(actor: ActorName, name: string): Promise<string> {
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  if (!endpoint) throw new Error(`no endpoint ${name}`);
  const sample = await sampleOf(world, endpoint);
  const client = await clientOf(world, actor);
  const request = { ...payloadOf(endpoint, sample), ip: newAddress() };
  const { statusCode, payload } = await client.send(endpoint.method, urlOf(endpoint, sample), request);
  // Writes break at the wall; a reading that breaks tells nothing either, and proves nothing.
  if (statusCode === 500 && endpoint.method === 'GET') throw new Error(`${name} broke: ${payload}`);
  return payload;
}

async function directoryReads(path: string): Promise<string> {
  const { payload } = await world.server.app.inject({ url: `/scim/v2${path}`, remoteAddress: newAddress() });
  return payload;
}

const isTold = (payload: string) => payload.toLowerCase().includes(world.ours.marker.slice(-12).toLowerCase());

describe('with the first wall taken down', () => {
  it.each(endpoints.map(({ name, path }, index) => [name, path, index] as const))(
    'A16 I1 PERM-3 %s gives nobody of another facility anything of ours',
    async (name, path, index) => {
      for (const actor of ['of another facility' as const, ...inTurn(OTHER_STRANGERS, index)]) {
        // Who follows an invitation is told where it leads.
        if (['showInvitation', 'acceptInvitation'].includes(name)) continue;
        // Who administers the system knows what facilities there are and who belongs to them; that they do the database has asked.
        if (actor === 'operator' && path.startsWith('/api/system/')) continue;
        // An account is of no facility.
        if (name === 'listAccounts') continue;
        expect(isTold(await payloadFor(actor, name)), `${name} as ${actor}`).toBe(false);
      }
    },
  );

  it('A16 I1 ACC-7 a directory of another facility reads nobody and no role of ours', async () => {
    for (const path of ['/Users', '/Groups', `/Users/${world.ours.member.id}`]) {
      expect(await directoryReads(path), path).not.toContain(world.ours.member.id);
    }
    expect(JSON.parse(await directoryReads('/Groups'))).toMatchObject({ totalResults: 0 });
  });

  it('A16 I1 no channel tells a stranger anything of ours', async () => {
    const socket = await openSocket(world.server);
    const client = await clientOf(world, 'of another facility');
    for (const channel of [`private-facility.${world.ours.facility.id}`, `presence-chat.${world.ours.chatId}`]) {
      await socket.join(client, channel);
    }
    await socket.settle();
    expect(isTold(JSON.stringify(socket.frames))).toBe(false);
    socket.close();
  });
});

describe('with both walls taken down', () => {
  it('A16 the same asking leaks: it is the second wall that kept it', async () => {
    const names = [
      'getChat',
      'listMessages',
      'listParticipants',
      'listMembers',
      'listUnits',
      'listOnCallRoles',
      'listInvitations',
    ];
    await sql
      .raw(`
      do $$ declare t text; begin
        for t in select tablename from pg_policies where schemaname = 'public' loop
          execute format('alter table %I disable row level security', t);
        end loop;
      end $$`)
      .execute(world.server.db);
    await sql.raw(EVERYBODYS_CHATS).execute(world.server.db);
    const leaking: string[] = [];
    for (const name of names) if (isTold(await payloadFor('of another facility', name))) leaking.push(name);
    expect(leaking).toEqual(names);
    expect(await directoryReads('/Users')).toContain(world.ours.member.id);
  });
});
