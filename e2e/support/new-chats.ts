import { v7 as newId } from 'uuid';
import type { HttpPerson } from './http-person.ts';
import { firstFacilityId } from './ledger.ts';

export interface MadeChat {
  readonly chatId: string;
  readonly facilityId: string;
  readonly path: string;
}

/** A fresh case chat of these people, made over HTTP by the first one in their first facility. */
export async function makeCase(
  by: HttpPerson,
  others: readonly HttpPerson[],
  patientName: string,
  identifier = 'MRN 99-000-001',
  bornOn: string | null = null,
): Promise<MadeChat> {
  const patient = { name: patientName, identifier, born_on: bornOn, bed: '3A-01' };
  return await make(by, { kind: 'case', patient }, others);
}

/** A fresh group chat, likewise. */
export async function makeGroup(by: HttpPerson, others: readonly HttpPerson[], title: string): Promise<MadeChat> {
  return await make(by, { kind: 'group', title }, others);
}

async function make(by: HttpPerson, what: object, others: readonly HttpPerson[]): Promise<MadeChat> {
  const facilityId = await firstFacilityId(by);
  const body = { client_id: newId(), ...what, participant_ids: others.map(({ userId }) => userId) };
  const answer = await by.send('POST', `/api/facilities/${facilityId}/chats`, body);
  if (answer?.status !== 201) throw new Error(`The chat was not created: ${JSON.stringify(answer)}`);
  const chatId = (answer.body as { id: string }).id;
  return { chatId, facilityId, path: `/chat/f-${facilityId}/c-${chatId}` };
}

/** Says something over HTTP; answers the seq it has. */
export async function say(by: HttpPerson, chatId: string, body: string): Promise<number> {
  const answer = await by.send('POST', `/api/chats/${chatId}/messages`, { client_id: newId(), body });
  if (answer?.status !== 201) throw new Error(`The message was not stored: ${JSON.stringify(answer)}`);
  return (answer.body as { seq: number }).seq;
}
