import { WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { foldIdentifier } from '@wardline/format/names.ts';
import { sql } from 'kysely';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.findOwnCases;

/** More chats with one number than a facility has. */
const MOST_WITH_NUMBER = 1_000;
/** More of one's own about one patient than anybody would choose from. */
const MOST = 5;

const cases = typedRows<{ id: string; title: string; patient_name: string; patient_identifier: string }>({
  id: 'string',
  title: 'string',
  patient_name: 'string',
  patient_identifier: 'string',
});

/** Asked before somebody starts a case that goes on already. What they are not in is not told, not even that it is there. */
export async function findOwnCases(
  { actor, db }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const facilityId = params.facility;
  requireFacility(actor, facilityId);
  const number = foldIdentifier(body.identifier);
  if (number === '') return { data: [] };
  const query = sql`
    select c.id, c.title, c.patient_name, c.patient_identifier from own_chats as c
    where c.user_id = ${actor.userId} and c.facility_id = ${facilityId} and c.kind = 'case'
      and c.state = any(${WRITABLE_STATES})
      and c.id in (select chats_of_folded_numbers(${facilityId}, ${[number]}::text[], ${MOST_WITH_NUMBER}))
    order by c.updated_at desc, c.id desc limit ${MOST}`;
  const rows = await cases.read(db, query);
  return {
    data: rows.map(({ patient_name: name, patient_identifier: identifier, ...chat }) => ({
      ...chat,
      facility_id: facilityId,
      patient: { name, identifier },
    })),
  };
}
