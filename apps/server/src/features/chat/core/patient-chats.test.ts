import { foldIdentifier } from '@wardline/format/names.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { findChatsOfPatients } from './patient-chats.ts';

let server: TestServer;
let facility: MadeFacility;
let userId: string;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db);
  userId = (await makeUser(server.db)).id;
});
afterAll(() => server.close());

describe('a patient’s number', () => {
  it('CHAT-1 is the same here and in the database, however it is written', async () => {
    const numbers = ['40-118-236', 'MRN 40118236', 'mrn:40.118/236', 'ÉB 12', 'Ab-٣', 'KH 1 MRN 2', 'MRN', '--'];
    const { rows } = await sql<{ number: string; folded: string }>`
      select number, fold_identifier(number) as folded from unnest(${numbers}::text[]) as asked (number)`.execute(
      server.db,
    );
    expect(rows.map(({ folded }) => folded)).toEqual(
      numbers.map((number) => foldIdentifier(number) || number.toLowerCase()),
    );
  });

  it('CHAT-1 ADM-4 finds the chats that carry it in another writing, of this facility, and no others', async () => {
    const chatOf = async (identifier: string, of = facility) =>
      (
        await makeChat(server.db, {
          ...{ facilityId: of.id, kind: 'case', participants: [{ userId, access: 'manage' }] },
          patient: { name: 'Edith Maron', identifier },
        })
      ).id;
    const [dashed, plain] = [await chatOf('40-118-236'), await chatOf('mrn 40118236')];
    const nothing = await chatOf('--');
    await chatOf('40-118-237');
    await chatOf('...');
    await chatOf('40-118-236', await makeFacility(server.db));
    const found = await findChatsOfPatients(server.db, facility.id, ['MRN 40 118 236', '--', '9']);
    expect([...found].map(([number, ids]) => [number, [...ids].sort()])).toEqual([
      ...[['--', [nothing]]],
      ...[['MRN 40 118 236', [dashed, plain].sort()]],
    ]);
  });

  it('CHAT-1 is found by its index', async () => {
    const plan = await server.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select c.id from chats as c
        where c.facility_id = ${facility.id} and c.kind = 'case' and fold_identifier(c.patient_identifier) = '40118236'`.execute(
        tx,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/chats_of_patient_number.*\n.*Index Cond: .*coalesce/is);
  });
});
