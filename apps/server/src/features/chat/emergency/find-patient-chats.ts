import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { findPatientChats as endpoint, PatientChat } from '@wardline/contract/chat/emergency-access.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { findChatsOfPatients } from '#/features/chat/core/patient-chats.ts';
import { breakGlass } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import type { InputOf } from '#/platform/http/route.ts';

/** More chats about one patient than anybody would choose from. */
const MOST = 20;

export interface EmergencyDeps {
  /** How often one person may look for patients' chats and open them. */
  readonly looks: Counter;
}

export function findPatientChats({ looks }: EmergencyDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params, body }: InputOf<typeof endpoint>,
  ): Promise<ReplyOf<typeof endpoint>> => {
    const facilityId = params.facility;
    requireFacility(actor, facilityId);
    authorize(actor, breakGlass, { facilityId });
    await looks.take(actor.userId);
    const data = await readPatientChats(db, { facilityId, userId: actor.userId, patient: body });
    const found = data.map(({ id }) => ({ facilityId, objectType: 'chat', objectId: id }));
    const nothing = { facilityId, objectType: 'facility', objectId: facilityId };
    await noteReads('chat.emergency.look', found.length > 0 ? found : [nothing]);
    return { data };
  };
}

interface Question {
  readonly facilityId: string;
  readonly userId: string;
  readonly patient: { readonly identifier: string; readonly born_on?: string | null | undefined };
  /** The one chat that is meant, where it was chosen. */
  readonly chatId?: string;
}

interface PatientChatRow {
  readonly id: string;
  readonly title: string;
  readonly patient_name: string;
  readonly patient_identifier: string;
  readonly patient_born_on: string | null;
  readonly state: Chat['state'];
  readonly participant_count: number;
  readonly last_message_at: Date | null;
  readonly is_mine: boolean;
}

const patientChats = typedRows<PatientChatRow>({
  id: 'string',
  title: 'string',
  patient_name: 'string',
  patient_identifier: 'string',
  patient_born_on: 'string?',
  state: 'string',
  participant_count: 'number',
  last_message_at: 'date?',
  is_mine: 'boolean',
});

/** Where the chat says when its patient was born, the day must be known too: a number alone could be tried. */
export async function readPatientChats(
  db: Database,
  { facilityId, userId, patient, chatId }: Question,
): Promise<PatientChat[]> {
  const { identifier } = patient;
  const ids = (await findChatsOfPatients(db, facilityId, [identifier])).get(identifier) ?? [];
  const query = sql`
      select c.id, c.title, c.patient_name, c.patient_identifier, c.patient_born_on, c.state, c.participant_count,
        (c.last_message ->> 'created_at')::timestamptz as last_message_at,
        exists (
          select from active_participants as p where p.chat_id = c.id and p.user_id = ${userId}
        ) as is_mine
      from chats as c
      where c.id = any(${ids}::uuid[]) and c.facility_id = ${facilityId}
        and (c.patient_born_on is null or c.patient_born_on = ${patient.born_on ?? null}::date)
        and ${chatId === undefined ? sql`true` : sql`c.id = ${chatId}`}
      order by c.updated_at desc, c.id limit ${MOST}`;
  // Chats that nobody has let them into.
  const rows = await inOwnFacilities(() => patientChats.read(db, query));
  return rows.map(({ patient_name, patient_identifier, patient_born_on, last_message_at, ...chat }) => ({
    ...chat,
    patient: { name: patient_name, identifier: patient_identifier, born_on: patient_born_on },
    last_message_at: last_message_at?.toISOString() ?? null,
  }));
}
