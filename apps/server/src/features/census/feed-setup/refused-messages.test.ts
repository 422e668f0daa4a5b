import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { censusChannel } from '@wardline/contract/census/census.ts';
import { channelName } from '@wardline/contract/channel.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { whyNoMllp } from '#/features/census/hl7/receive-hl7.ts';
import { startFeed } from '#/features/census/hl7/testing/adt-room.ts';
import {
  type CensusFixture,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  read,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { sendByMllp } from '#/testing/send-by-mllp.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { adtOf, type FeedRoom, openFeedRoom } from './testing/feed-room.ts';

const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let place: Place;
let admin: Person;
let room: FeedRoom;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  place = await ward.elsewhere();
  await ward.unit('MED 3A', {}, place);
  admin = await ward.person(['facilityAdministrator'], [], place);
  room = await openFeedRoom(ward, place);
  await startFeed(ward.server.db, place.facility.id);
});

async function machine(): Promise<Person> {
  return ward.person(['patientSystem'], [], place);
}

const admission = (unit: string, at = '202611190200') => adtOf('A01', { visit: 'V1', unit, at });

it.each([
  [
    'of an unknown unit',
    () => admission('ORTHO'),
    'AE',
    103,
    'PV1^1^3',
    'PV1-3 names the unit ORTHO, which is not known',
  ],
  ['without PV1', () => admission('MED 3A').replace(/\rPV1.*/s, ''), 'AE', 100, '', 'PV1 is missing'],
  [
    'of an admission without a class',
    () => admission('MED 3A').replace('PV1|1|I|', 'PV1|1||'),
    'AE',
    101,
    'PV1^1^2',
    'PV1-2 is missing',
  ],
  ['without a unit', () => admission(''), 'AE', 101, 'PV1^1^3', 'PV1-3 is missing'],
  [
    'with a broken time',
    () => admission('MED 3A').replaceAll('20261119020000', 'soon'),
    'AE',
    102,
    'EVN^1^6',
    'EVN-6: soon+0000 is not a time',
  ],
  [
    'of another kind',
    () => admission('MED 3A').replace('ADT^A01', 'ORM^O01'),
    'AR',
    200,
    'MSH^1^9',
    'MSH-9 is ORM, not ADT',
  ],
  [
    'of another event',
    () => admission('MED 3A').replace('ADT^A01', 'ADT^A31'),
    'AR',
    201,
    'MSH^1^9',
    'the event A31 is not taken',
  ],
  [
    'for training',
    () => admission('MED 3A').replace('|P|2.5.1', '|T|2.5.1'),
    'AR',
    202,
    'MSH^1^11',
    'MSH-11 is T; only P, production, is taken',
  ],
  [
    'of version 3',
    () => admission('MED 3A').replace('|P|2.5.1', '|P|3.0'),
    'AR',
    203,
    'MSH^1^12',
    'MSH-12 is 3.0; version 2 is taken',
  ],
  [
    'of the year 2030',
    () => admission('MED 3A', '203001010000'),
    'AE',
    102,
    'EVN^1^6',
    'the event is of 2030-01-01T00:00Z, which is still to come',
  ],
] as const)(
  'F-N10 a message %s is kept and refused with its code of table 0357, by MLLP and by HTTP alike',
  async (_, make, answer, code, at, reason) => {
    const text = make();
    const byMllp = await sendByMllp(text, room.hand);
    expect(byMllp).toContain(`\rMSA|${answer}|`);
    expect(byMllp).toMatch(
      new RegExp(`\\rERR\\|\\|${at.replaceAll('^', '\\^')}\\|${code}\\^[A-Z][a-z ]+\\^HL70357\\|E\\|`),
    );
    const { client } = await machine();
    const byHttp = await client.send('POST', '/api/census/feeds/hl7', {
      body: { facility: place.facility.id, message: text },
    });
    expect(byHttp.json()).toMatchObject({ code: answer, error_code: code, reason });
    const { data } = await room.refused(admin);
    expect(data).toMatchObject([{ answer, error_code: code, reason, sender: 'ADT · H1', tries: 2 }]);
  },
);

it('F-N10 a code that is no facility’s is known before the first message comes', async () => {
  const { db } = ward.server;
  const { code } = await db
    .selectFrom('facilities')
    .select('code')
    .where('id', '=', place.facility.id)
    .executeTakeFirstOrThrow();
  expect(await whyNoMllp(db, code)).toBeNull();
  expect(await whyNoMllp(db, 'NONE')).toContain('not exactly one facility with the code NONE');
});

it('F-N10 another event under the number of one that was taken is refused, and the same message is taken as often as it comes', async () => {
  const came = admission('MED 3A');
  const left = came.replaceAll('A01', 'A03').replaceAll('20261119020000', '20261119030000');
  for (const text of [came, came]) expect(await room.hand(text)).toContain('MSA|AA|');
  expect(await room.hand(left)).toMatch(/MSA\|AE\|.*\rERR\|\|MSH\^1\^10\|205\^Duplicate key identifier\^HL70357/);
  expect((await room.refused(admin)).data).toMatchObject([{ error_code: 205, answer: 'AE' }]);
});

it('F-N10 a message that its sender repeats is listed and logged once, and is off the list when it is taken', async () => {
  const text = admission('ORTHO');
  for (let times = 0; times < 3; times++) expect(await room.hand(text)).toContain('|103^');
  await room.hand(admission('ORTHO'));
  expect((await room.refused(admin)).data.map(({ tries }) => tries)).toEqual([1, 3]);
  expect((await logOf(ward, place)).filter(({ action }) => action === 'feed.receive')).toHaveLength(2);
  await ward.unit('ORTHO', {}, place);
  expect(await room.hand(text)).toContain('MSA|AA|');
  expect((await room.refused(admin)).data.map(({ tries }) => tries)).toEqual([1]);
});

it('F-N10 what is a few minutes ahead of the clock is taken, and what was too far ahead once it is no more', async () => {
  expect(await room.hand(admission('MED 3A', '202611200009'))).toContain('MSA|AA|');
  expect(await room.hand(adtOf('A01', { visit: 'V2', unit: 'MED 3A', at: '202611200011' }))).toContain('|102^');
  const [late] = (await room.refused(admin)).data;
  expect(late?.control_id).toMatch(/^R\d+$/);
  expect((await room.post(admin, `/refused/${late?.id}/retry`)).json().refused.tries).toBe(2);
  setNow('2026-11-20T00:05:00Z');
  expect((await room.post(admin, `/refused/${late?.id}/retry`)).json()).toEqual({
    refused: null,
  });
  expect((await room.refused(admin)).data).toEqual([]);
  const of = { facility_id: place.facility.id };
  const acts = (await actsOf(ward.server, admin.id)).filter(({ action }) => action === 'census.feed.retry');
  expect(acts).toEqual([
    audited('census.feed.retry', ['adt_message', late?.id ?? ''], {
      ...of,
      outcome: 'refused',
      detail: { code: 'AE' },
    }),
    audited('census.feed.retry', ['adt_message', late?.id ?? ''], { ...of, detail: { code: 'AA' } }),
  ]);
});

it('F-N10 the refused are listed page by page without a word of a patient, and taken again once what was wrong is mended', async () => {
  for (const at of ['202611190200', '202611190300', '202611190400']) {
    await room.hand(adtOf('A01', { visit: `V${at}`, unit: 'ORTHO', at }));
  }
  const first = await room.refused(admin, '?limit=2');
  const second = await room.refused(admin, `?limit=2&cursor=${first.next_cursor}`);
  expect([first.data.length, second.data.length, second.next_cursor]).toEqual([2, 1, null]);
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(3);
  expect(JSON.stringify([first, second])).not.toMatch(/Reyes|V2026|PV1\|/);
  expect((await room.get(admin, '/refused?cursor=nonsense')).statusCode).toBe(422);
  expect((await room.status(admin)).refused).toBe(3);

  const [newest] = first.data;
  const retry = () => room.post(admin, `/refused/${newest?.id}/retry`);
  expect((await retry()).json()).toMatchObject({ refused: { id: newest?.id, tries: 2, error_code: 103 } });
  const ortho = await ward.unit('ORTHO', {}, place);
  const nurse = await ward.person(['chargeNurse'], [ortho], place);
  expect((await retry()).json()).toEqual({ refused: null });
  expect((await read(nurse, { unit: ortho, date: DATE })).feed?.counts.admissions).toBe(1);
  expect((await retry()).statusCode).toBe(404);
  const body = { client_id: randomUUID() };
  const [other] = (await room.refused(admin)).data;
  const twice = [1, 2].map(() => room.post(admin, `/refused/${other?.id}/retry`, body));
  expect((await Promise.all(twice)).map((answer) => answer.json())).toEqual([{ refused: null }, { refused: null }]);
  expect((await room.refused(admin)).data).toHaveLength(1);
  expect((await logOf(ward, place)).at(-1)).toMatchObject({
    action: 'feed.receive',
    outcome: 'done',
    actor_id: admin.id,
    after: { message: other?.id },
  });
  const stranger = await ward.person(['facilityAdministrator'], [], await ward.elsewhere());
  const [left] = (await room.refused(admin)).data;
  expect((await room.post(stranger, `/refused/${left?.id}/retry`)).statusCode).toBe(404);
});

it('F-N10 A31 what is not taken at all is kept once for each sender, kind and code, with how often it came and no word of a patient', async () => {
  const update = (number: number, sender = 'ADT|H1') =>
    admission('MED 3A')
      .replace('ADT|H1', sender)
      .replace(/\|\|ADT\^A01\|[^|]*/, `||ADT^A31|U${number}`);
  for (const number of [1, 2, 3]) expect(await room.hand(update(number))).toContain('MSA|AR|');
  expect(await room.hand(update(4, 'PAS|H1'))).toContain('MSA|AR|');
  for (const wrong of ['|T|2.5.1', '|P|3.0'])
    expect(await room.hand(admission('MED 3A').replace('|P|2.5.1', wrong))).toContain('MSA|AR|');
  const { data } = await room.refused(admin);
  expect(data.map(({ sender, kind, error_code, tries }) => [sender, kind, error_code, tries])).toEqual([
    ['ADT · H1', 'ADT^A01', 203, 1],
    ['ADT · H1', 'ADT^A01', 202, 1],
    ['PAS · H1', 'ADT^A31', 201, 1],
    ['ADT · H1', 'ADT^A31', 201, 3],
  ]);
  expect(data.at(-1)?.control_id).toBe('U3');
  const kept = ward.server.db.selectFrom('adt_rejects').select('message').where('facility_no', '=', place.facilityNo);
  expect(await kept.execute()).toEqual(data.map(() => ({ message: '' })));
  const refusals = (await logOf(ward, place)).filter(({ outcome }) => outcome === 'refused');
  expect(refusals.map(({ after }) => after)).toEqual(
    data.toReversed().map(({ id, error_code }) => ({ message: id, code: 'AR', error: error_code })),
  );
  expect((await room.post(admin, `/refused/${data[0]?.id}/retry`)).statusCode).toBe(422);
});

it('F-N10 A31 what an earlier build kept of them, each with its text, is counted together', async () => {
  const { db } = ward.server;
  await sql`drop index adt_rejects_kind_key`.execute(db);
  const reject = (kind: string, tries: number, more: object = {}) => ({
    ...{ id: newId(), facility_no: place.facilityNo, control_id: kind, sender: 'ADT · H1', kind, reason: 'not taken' },
    ...{ answer: 'AR', code: 201, message: 'PID|1||P1||Reyes^Ana', tries, ...more },
  });
  const rows = [reject('ADT^A31', 1), reject('ADT^A31', 4), reject('ADT^A28', 1), reject('ADT^A31', 1, { code: 202 })];
  const wrong = reject('ADT^A01', 1, { answer: 'AE', code: 103 });
  for (const row of [...rows, wrong, { ...wrong, id: newId() }])
    await db.insertInto('adt_rejects').values(row).execute();
  const migration = new URL('../../../../db/migrations/0094_counted_rejects.sql', import.meta.url);
  await sql.raw(await readFile(migration, 'utf8')).execute(db);
  const kept = db.selectFrom('adt_rejects').select(['kind', 'code', 'tries', 'message', 'is_whole']);
  const found = await kept.where('facility_no', '=', place.facilityNo).orderBy('id').execute();
  const { message } = wrong;
  expect(found).toEqual([
    { kind: 'ADT^A31', code: 201, tries: 5, message: '', is_whole: false },
    { kind: 'ADT^A28', code: 201, tries: 1, message: '', is_whole: false },
    { kind: 'ADT^A31', code: 202, tries: 1, message: '', is_whole: false },
    { kind: 'ADT^A01', code: 103, tries: 1, message, is_whole: true },
    { kind: 'ADT^A01', code: 103, tries: 1, message, is_whole: true },
  ]);
});

it('F-N10 of a sender with a name without end the first 80 characters are kept', async () => {
  const text = admission('ORTHO').replace(/^(MSH\|[^|]*\|)[^|]*/, `$1${'S'.repeat(300)}`);
  expect(await room.hand(text)).toContain('MSA|AE');
  const kept = ward.server.db.selectFrom('adt_rejects').select('sender').where('facility_no', '=', place.facilityNo);
  expect(await kept.execute()).toEqual([{ sender: 'S'.repeat(80) }]);
});

it('F-N10 CEN-5 the board hears of a message that is taken at last, and nothing of one that is refused again', async () => {
  await room.hand(admission('ORTHO'));
  const [refused] = (await room.refused(admin)).data;
  const officer = await ward.person(['censusOfficer'], [], place);
  const socket = await openSocket(ward.server);
  expect(await socket.join(officer.client, channelName(censusChannel, place.facility.id))).toBe('joined');
  const heard = async () => {
    await socket.settle();
    return socket.frames.filter(({ event }) => event.endsWith('CensusChanged')).map(({ data }) => data);
  };
  await room.post(admin, `/refused/${refused?.id}/retry`);
  expect(await heard()).toEqual([]);
  await ward.unit('ORTHO', {}, place);
  expect((await room.post(admin, `/refused/${refused?.id}/retry`)).json()).toEqual({ refused: null });
  expect(await heard()).toMatchObject([{ facility_id: place.facility.id, unit_id: null, census_date: DATE }]);
  socket.close();
});

it('F-N10 a message of which only the beginning was kept cannot be tried again', async () => {
  await room.hand(`${admission('ORTHO')}\rNTE|1||${'x'.repeat(70_000)}`);
  const [long] = (await room.refused(admin)).data;
  expect(long).toMatchObject({ can_retry: false });
  expect((await room.post(admin, `/refused/${long?.id}/retry`)).statusCode).toBe(422);
  expect((await room.post(admin, `/refused/${randomUUID()}/retry`)).statusCode).toBe(404);
});

it('ADM-2 F-N10 a facility that was deactivated takes and keeps nothing, and takes the same message once it is open', async () => {
  const unit = await ward.unit('ICU', {}, place);
  const nurse = await ward.person(['chargeNurse'], [unit], place);
  const stale = await machine();
  const setClosed = (deactivated_at: Date | null) =>
    ward.server.db.updateTable('facilities').set({ deactivated_at }).where('id', '=', place.facility.id).execute();
  const text = admission('ICU');
  const byHttp = ({ client }: Person) =>
    client.send('POST', '/api/census/feeds/hl7', { body: { facility: place.facility.id, message: text } });
  expect((await byHttp(stale)).json()).toMatchObject({ code: 'AA' });
  const before = await logOf(ward, place);
  await setClosed(new Date());
  const other = text.replaceAll(/\bV1\b/g, 'V2');
  for (const said of [other, other, 'good morning']) {
    const answer = await sendByMllp(said, room.hand);
    expect(answer).toContain(said === other ? '\rMSA|AR|R' : '\rMSA|AR|\r');
    expect(answer).toMatch(/\rERR\|\|\|207\^.*\|the facility was closed by the system administrator: nothing is taken/);
  }
  // A process that has not heard of it yet lets the machine in, and takes nothing all the same.
  expect((await byHttp(stale)).json()).toMatchObject({ code: 'AR', error_code: 207 });
  const refused = await byHttp(await machine());
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'facility_closed']);
  const noted = ward.server.db.selectFrom('audit_entries').select(['ip', 'outcome', 'detail']);
  const entries = noted.where('action', '=', 'census.feed').where('facility_id', '=', place.facility.id);
  expect(await entries.where('outcome', '=', 'refused').where('actor_id', 'is', null).execute()).toEqual([
    { ip: '10.9.8.7', outcome: 'refused', detail: { code: 'AR', refused: 'facility_closed' } },
  ]);
  await setClosed(null);
  expect([(await room.refused(admin)).data, await logOf(ward, place)]).toEqual([[], before]);
  expect(await room.hand(other)).toContain('MSA|AA|');
  expect((await read(nurse, { unit, date: DATE })).feed?.counts.admissions).toBe(2);
});
