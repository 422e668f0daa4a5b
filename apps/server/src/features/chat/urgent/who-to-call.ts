import { sql } from 'kysely';
import { holdMembers } from '#/features/chat/core/participant-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Call, LadderStep, Pace } from '#/platform/escalation/escalation.ts';

export interface Ringing {
  readonly chatId: string;
  readonly seq: number;
  readonly userIds: readonly string[];
}

/** Tells the devices of who is called now, as the person chose, also in their quiet hours. */
export interface RingDeps {
  readonly ring: (tx: DatabaseTransaction, called: Ringing) => Promise<void>;
}

/** Whom one turn calls: people by name, and who holds a role when it is their turn. */
export interface Targets {
  readonly people: readonly string[];
  readonly roleId: string | null;
}

/** Decided when the message was sent. */
export interface UrgentPlan {
  readonly steps: readonly LadderStep[];
  readonly pace?: Pace;
  readonly targets: Targets;
  readonly next: Targets | null;
  readonly fallbackRoleId: string | null;
}

/** The chat of an urgent message and where in it that stands. */
export interface UrgentPlace {
  readonly facilityId: string;
  readonly chatId: string;
  /** Nobody is called for what they said themselves. */
  readonly senderId: string;
}

/** The same while it is decided whom to call. */
export interface CallingPlace extends UrgentPlace {
  readonly isDirect: boolean;
}

const holders = typedRows<{ user_id: string; name: string }>({ user_id: 'string', name: 'string' });

/** Who holds a role now; null where nobody does, or the role was retired. */
export async function findHolder(db: Database | DatabaseTransaction, roleId: string) {
  const found = await holders.first(
    db,
    sql`select s.user_id, u.name
      from on_call_shifts s
      join on_call_roles r on r.id = s.role_id and r.retired_at is null
      join memberships m on m.user_id = s.user_id and m.facility_id = s.facility_id and m.ended_at is null
      join users u on u.id = s.user_id and u.disabled_at is null
      where s.role_id = ${roleId} and s.starts_at <= now() and s.ends_at > now()`,
  );
  return found ?? null;
}

/** Whom a turn names, and who holds its role. */
export interface Turn {
  readonly targets: Targets | 'everyone';
  readonly holderId: string | null;
}

/**
 * Whom a step of the ladder names; where nobody was named next, the fallback role, and where nobody holds that, everybody. To be
 * asked for before the chat's lock.
 */
export async function holdTurn(
  tx: DatabaseTransaction,
  place: CallingPlace,
  { plan: { targets, next, fallbackRoleId }, call }: { plan: UrgentPlan; call: string },
): Promise<Turn> {
  if (call === 'again') return holdTargets(tx, place, targets);
  if (call === 'next' && next !== null) return holdTargets(tx, place, next);
  if (call === 'everyone') return EVERYONE;
  const fallback = await holdTargets(tx, place, { people: [], roleId: fallbackRoleId });
  return fallback.holderId === null ? EVERYONE : fallback;
}

export const EVERYONE: Turn = { targets: 'everyone', holderId: null };

/** The holder of the role is held as a member until the commit. A direct chat stays with its two, so no role is called in it. */
export async function holdTargets(
  tx: DatabaseTransaction,
  { facilityId, isDirect, senderId }: CallingPlace,
  targets: Targets,
): Promise<Turn> {
  const holder = targets.roleId === null || isDirect ? null : await findHolder(tx, targets.roleId);
  if (holder === null || holder.user_id === senderId) return { targets, holderId: null };
  const held = await holdMembers(tx, facilityId, [holder.user_id]);
  return { targets, holderId: held.has(holder.user_id) ? holder.user_id : null };
}

const reachable = typedRows<{ user_id: string }>({ user_id: 'string' });

/** Under the chat's lock: who of these (of all without) can read what stands at `seq` and has an account, save the sender. */
export async function findReachable(
  tx: DatabaseTransaction,
  { chatId, senderId }: UrgentPlace,
  { seq, people }: { seq: number; people: readonly string[] | null },
): Promise<string[]> {
  const rows = await reachable.read(
    tx,
    sql`select p.user_id from active_participants p join users u on u.id = p.user_id and u.disabled_at is null
      where p.chat_id = ${chatId} and p.joined_seq < ${seq} and p.user_id <> ${senderId}
        and (${people === null} or p.user_id = any(${people ?? []}::uuid[]))
      order by p.user_id`,
  );
  return rows.map(({ user_id }) => user_id);
}

export interface TurnCalls {
  readonly calls: readonly Call[];
  /** The holder of a role, where they were not in the chat, or saw only what came later. */
  readonly admitted: string | null;
}

/** Under the chat's lock: whom a turn reaches. Who holds its role and is not in the chat is let in from the message on. */
export async function findCalls(
  tx: DatabaseTransaction,
  place: UrgentPlace,
  { seq, targets, holderId }: Turn & { readonly seq: number },
): Promise<TurnCalls> {
  const isAll = targets === 'everyone';
  const named = await findReachable(tx, place, { seq, people: isAll ? null : targets.people });
  const calls: Call[] = named.map((userId) => ({ userId, roleId: null }));
  if (isAll || holderId === null || named.includes(holderId)) return { calls, admitted: null };
  const isIn =
    (await findReachable(tx, place, { seq, people: [holderId] })).length > 0 ||
    (await seatHolder(tx, place, { roleId: targets.roleId, userId: holderId }));
  if (!isIn) await admit(tx, place, { seq, userId: holderId });
  return { calls: [...calls, { userId: holderId, roleId: targets.roleId }], admitted: isIn ? null : holderId };
}

/**
 * Where the role is in the chat itself, its holder takes their place a moment before the clock lets them in, which says so in the
 * chat. False where it is not.
 */
async function seatHolder(
  tx: DatabaseTransaction,
  { chatId }: UrgentPlace,
  { roleId, userId }: { roleId: string | null; userId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into chat_participants as p
      (chat_id, user_id, facility_id, access, joined_seq, delivered_seq, read_seq, role_ids)
    select r.chat_id, ${userId}, r.facility_id, r.access, r.joined_seq, r.joined_seq, r.joined_seq, array[r.role_id]
    from chat_roles r where r.chat_id = ${chatId} and r.role_id = ${roleId}::uuid
    on conflict (chat_id, user_id) do update set left_at = null, access = excluded.access, joined_seq = excluded.joined_seq,
      role_ids = excluded.role_ids, emergency_id = null, read_seq = greatest(p.read_seq, excluded.joined_seq),
      delivered_seq = greatest(p.delivered_seq, excluded.joined_seq)
      where p.left_at is not null`.execute(tx);
  return numAffectedRows > 0n;
}

/** Lets somebody read from the message on, and write where people write; nothing that was said before it. */
async function admit(
  tx: DatabaseTransaction,
  { chatId, facilityId }: UrgentPlace,
  { seq, userId }: { seq: number; userId: string },
): Promise<void> {
  const before = seq - 1;
  await sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access, joined_seq, delivered_seq, read_seq)
    select c.id, ${userId}, ${facilityId}, case when c.kind = 'announcement' then 'read' else 'write' end,
      ${before}, ${before}, ${before}
    from chats c where c.id = ${chatId}
    on conflict (chat_id, user_id) do update set left_at = null, role_ids = null, own_access = null, own_joined_seq = null,
      emergency_id = null,
      access = case when p.left_at is null and p.role_ids is null and p.emergency_id is null then coalesce(p.own_access, p.access) else excluded.access end,
      joined_seq = case when p.left_at is null and p.role_ids is null and p.emergency_id is null then least(coalesce(p.own_joined_seq, p.joined_seq), ${before})
        else ${before} end,
      delivered_seq = greatest(p.delivered_seq, ${before}), read_seq = greatest(p.read_seq, ${before})`.execute(tx);
  await sql`select seat_role_holder(${chatId}::uuid, ${userId}::uuid)`.execute(tx);
}
