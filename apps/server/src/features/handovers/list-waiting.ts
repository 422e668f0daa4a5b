import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listWaitingHandovers as endpoint, WaitingHandover } from '@wardline/contract/examinations/handovers.ts';
import { sql } from 'kysely';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { closedFacilities } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;

const PAGE = 20;

interface WaitingRow extends Omit<WaitingHandover, 'patient' | 'given_at'> {
  readonly patient_name: string;
  readonly patient_identifier: string;
  readonly given_at: Date;
}
const waiting = typedRows<WaitingRow>({
  ...{ id: 'string', chat_id: 'string', facility_id: 'string', format: 'string', severity: 'string?' },
  ...{ patient_name: 'string', patient_identifier: 'string', from: 'string', role: 'string?', given_at: 'date' },
});

/** What waits for me over all facilities, by name or by a role that I hold now; only of chats that I write in. */
export async function listWaitingHandovers(
  { actor, db, noteReads }: RequestContext,
  { query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const limit = query.limit ?? PAGE;
  const past = query.cursor === undefined ? sql`true` : sql`h.id > ${idCursor(query.cursor)}`;
  const { userId } = actor;
  const rows = await waiting.read(
    db,
    sql`select h.id, h.chat_id, h.facility_id, h.format, h.severity, h.given_at, c.patient_name, c.patient_identifier,
        giver.name as "from", role.name as role
      from handovers h
      join chats c on c.id = h.chat_id and c.state in ('open', 'handed_over')
      join active_participants p on p.chat_id = h.chat_id and p.user_id = ${userId} and p.access <> 'read'
      join users giver on giver.id = h.given_by
      left join on_call_roles role on role.id = h.to_role
      where h.state = 'given' and h.given_by <> ${userId} and h.facility_id <> all(${closedFacilities(actor)}::uuid[])
        and (h.to_user = ${userId} or h.to_role in (
          select s.role_id from on_call_shifts s where s.user_id = ${userId} and s.starts_at <= now() and s.ends_at > now()))
        and ${past}
      order by h.id limit ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  await noteReads(
    'chat.read',
    page.map((row) => ({ facilityId: row.facility_id, objectType: 'chat', objectId: row.chat_id })),
  );
  return {
    data: page.map(({ patient_name: name, patient_identifier: identifier, given_at, ...row }) => ({
      ...{ ...row, patient: { name, identifier }, given_at: given_at.toISOString() },
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
