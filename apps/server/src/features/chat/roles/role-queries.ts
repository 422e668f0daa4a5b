import type { ChatRole } from '@wardline/contract/chat/chat-roles.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

interface ChatRoleRow extends Omit<ChatRole, 'holder'> {
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly until: Date | null;
}

const chatRoles = typedRows<ChatRoleRow>({
  ...{ role_id: 'string', name: 'string', is_retired: 'boolean', access: 'string', joined_seq: 'number' },
  ...{ user_id: 'string?', user_name: 'string?', until: 'date?' },
});

/** The roles of a chat with who holds them now, by name. */
export async function listRolesOfChat(
  db: Database | DatabaseTransaction,
  chatId: string,
  roleId: string | null = null,
): Promise<ChatRole[]> {
  const rows = await chatRoles.read(
    db,
    sql`select c.role_id, r.name, r.retired_at is not null as is_retired, c.access, c.joined_seq,
        s.user_id, u.name as user_name, s.ends_at as until
      from chat_roles c join on_call_roles r on r.id = c.role_id
      left join (on_call_shifts s join users u on u.id = s.user_id)
        on s.role_id = c.role_id and s.starts_at <= now() and s.ends_at > now()
      where c.chat_id = ${chatId} and ${roleId === null ? sql`true` : sql`c.role_id = ${roleId}`}
      order by r.name collate "und-x-icu", c.role_id`,
  );
  return rows.map(({ user_id, user_name, until, ...role }) => ({
    ...role,
    holder: user_id && until ? { user_id, name: user_name ?? '', until: until.toISOString() } : null,
  }));
}

const names = typedRows<{ name: string }>({ name: 'string' });

/** What a role that is not retired is called; held so until the commit, so that a retired one is in no chat. */
export async function holdRole(tx: DatabaseTransaction, facilityId: string, roleId: string): Promise<string | null> {
  const query = sql`
    select name from on_call_roles
    where id = ${roleId} and facility_id = ${facilityId} and retired_at is null for key share`;
  return (await names.first(tx, query))?.name ?? null;
}

interface RoleToAdd {
  readonly chatId: string;
  readonly facilityId: string;
  readonly roleId: string;
  readonly access: ChatRole['access'];
  /** What its holders see begins after it; a role that is in already keeps what they see. */
  readonly joinedSeq: number;
  readonly addedBy: string;
}

/** Under the chat's lock: puts a role in, or under another access, and has it looked at who holds it once this is stored. */
export async function upsertRole(tx: DatabaseTransaction, role: RoleToAdd): Promise<void> {
  const { chatId, facilityId, roleId, access, joinedSeq, addedBy } = role;
  await sql`
    insert into chat_roles (chat_id, role_id, facility_id, access, joined_seq, added_by)
    values (${chatId}, ${roleId}, ${facilityId}, ${access}, ${joinedSeq}, ${addedBy})
    on conflict (chat_id, role_id) do update set access = excluded.access`.execute(tx);
  await sql`
    insert into on_call_turns (role_id, facility_id, due_at) values (${roleId}, ${facilityId}, clock_timestamp())
    on conflict (role_id) do update set due_at = excluded.due_at`.execute(tx);
}

/** Who takes a place in a chat by a role, or gives it up. */
export interface Passing {
  readonly roleId: string;
  readonly name: string;
  readonly isRetired: boolean;
  readonly before: string | null;
  readonly after: string | null;
}

const passings = typedRows<{
  role_id: string;
  name: string;
  is_retired: boolean;
  before: string | null;
  after: string | null;
}>({ role_id: 'string', name: 'string', is_retired: 'boolean', before: 'string?', after: 'string?' });

/** The roles of a chat whose holder is another than who was let in by them, and those that are no roles any more. */
export async function findPassings(tx: DatabaseTransaction, chatId: string): Promise<Passing[]> {
  const rows = await passings.read(
    tx,
    sql`select c.role_id, r.name, r.retired_at is not null as is_retired, c.holder_id as before, held.user_id as after
      from chat_roles c join on_call_roles r on r.id = c.role_id
      left join (
        select s.role_id, s.user_id from on_call_shifts s
        join memberships m on m.user_id = s.user_id and m.facility_id = s.facility_id and m.ended_at is null
        where s.starts_at <= clock_timestamp() and s.ends_at > clock_timestamp()
      ) held on held.role_id = c.role_id
      where c.chat_id = ${chatId} and (c.holder_id is distinct from held.user_id or r.retired_at is not null)
      order by c.role_id`,
  );
  return rows.map(({ role_id: roleId, is_retired: isRetired, ...rest }) => ({ roleId, isRetired, ...rest }));
}

/** Under the chat's lock: who is in the chat by the role from now on. */
export async function seatHolder(
  tx: DatabaseTransaction,
  chatId: string,
  { roleId, before, after }: Pick<Passing, 'roleId' | 'before' | 'after'>,
): Promise<void> {
  await sql`update chat_roles set holder_id = ${after} where chat_id = ${chatId} and role_id = ${roleId}`.execute(tx);
  for (const person of [before, after]) {
    if (person !== null) await sql`select seat_role_holder(${chatId}::uuid, ${person}::uuid)`.execute(tx);
  }
}
