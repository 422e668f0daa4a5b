import { addDays, datesFrom } from '@wardline/census/calendar.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { purgeRejects } from '#/features/census/clock/clock.ts';
import { ticking } from '#/features/census/clock/testing/ticking.ts';
import { acknowledgement } from '#/platform/hl7/acknowledgement.ts';
import { isNightly, limitMs } from '#/testing/nightly.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { createRandom } from '../../../../seeds/random.ts';
import { receiveAdt } from './receive-adt.ts';
import { adt, countOf, database, openFeed, receive, UNITS, useAdtRoom } from './testing/adt-room.ts';
import { simulateHospital } from './testing/hospital-simulator.ts';
import { lockVisit } from './visit-queries.ts';

useAdtRoom();

it(
  'CEN-8 thousands of messages of a hospital, out of order, doubled, cancelled, merged, some malformed: the census is the truth',
  async () => {
    const feed = await openFeed();
    const from = '2026-03-01';
    const days = isNightly ? 36 : 4;
    const hospital = simulateHospital({ seed: 20_261_121, units: UNITS, from, days, admissionsPerDay: 72 });
    const random = createRandom(4).next;
    const doubled = hospital.messages.filter(() => random() < 0.08);
    const malformed = Array.from({ length: isNightly ? 150 : 90 }, (_, index) =>
      spoil(hospital.messages[index * 7] ?? '', index),
    );
    const all = shuffle([...hospital.messages, ...doubled, ...malformed], random);
    expect(all.length).toBeGreaterThan(isNightly ? 10_000 : 800);

    const codes = { AA: 0, AE: 0, AR: 0 };
    for (let at = 0; at < all.length; at += 100) {
      await database.db.transaction().execute(async (tx) => {
        for (const text of all.slice(at, at + 100)) codes[(await receiveAdt(tx, feed, text)).code] += 1;
      });
    }

    // Every sixth of the malformed is of an event that is not taken.
    const unsupported = malformed.length / 6;
    const taken = all.length - malformed.length;
    expect(codes).toEqual({ AA: taken, AE: malformed.length - unsupported, AR: unsupported });
    const asked = await database.db
      .selectFrom('adt_unknown_stays')
      .select(['state'])
      .where('facility_no', '=', feed.place.facility_no)
      .execute();
    expect(new Set(asked.map(({ state }) => state))).toEqual(new Set(['agreed']));
    const kept = await sql<{ message: string; tries: number }>`
    select message, tries from adt_rejects where facility_no = ${feed.place.facility_no}`.execute(database.db);
    const isUntaken = (text: string) => text.includes('ADT^A99');
    expect(kept.rows.flatMap(({ message }) => message || []).sort()).toEqual(
      malformed
        .filter((text) => !isUntaken(text))
        .map((text) => text.replaceAll('\u0000', '\uFFFD'))
        .sort(),
    );
    expect(kept.rows.filter(({ message }) => message === '')).toEqual([
      { message: '', tries: malformed.filter(isUntaken).length },
    ]);
    let differences = 0;
    for (const unit of UNITS) {
      for (const date of datesFrom(from, addDays(from, days - 1))) {
        const told = await countOf(feed, unit, date);
        const truth = hospital.truth.get(unit)?.get(date);
        if (!truth || !told) throw new Error(`nothing is known of ${unit} on ${date}`);
        for (const [name, value] of Object.entries(truth)) {
          if (told[name as keyof typeof truth] !== value) differences += 1;
        }
      }
    }
    expect(differences).toBe(0);
  },
  limitMs(240_000),
);

/** Cuts, empties or garbles a good message, each in another way. */
function spoil(text: string, index: number): string {
  const own = text.replace(/\|M(\d+)\|/, `|BAD${index}|`);
  const ways = [
    (good: string) => good.replace(/\rPV1.*/s, ''),
    (good: string) =>
      good.replace(/EVN\|(A\d\d)\|[^|]*/, 'EVN|$1|2026-03-01 10:00').replace(/\|\|\|\|\d{14}\+0000(?=\r)/, ''),
    (good: string) => good.replace(/ADT\^A\d\d/, 'ADT^A99'),
    (good: string) => good.slice(4, 60 + index),
    (good: string) => good.replace(/BAD\d+/, ''),
    (good: string) => `\u0000${good}`,
  ];
  return (ways[index % ways.length] ?? String)(own);
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

it('CEN-8 a swap moves two patients, a bed status blocks beds, and twice is once', async () => {
  const feed = await openFeed();
  await receive(feed, adt('A01', { visit: 'S1' }));
  await receive(feed, adt('A01', { visit: 'S2', unit: 'ICU' }));
  const swap = adt('A17', { visit: 'S1', unit: 'ICU', at: '20261119120000+0000' });
  const second = 'PID|2||P2\rPV1|2|I|MED3A^1^1||||||||||||||||S2';
  await receive(feed, `${swap}\r${second}`);
  await receive(feed, `${swap}\r${second}`);
  const icu = await countOf(feed, 'ICU', '2026-11-19');
  expect(icu).toMatchObject({ closing: 1, transfers_in: 1, transfers_out: 1, admissions: 1 });
  expect(icu?.transfers.map(({ unit_code, direction, count }) => `${direction} ${unit_code} ${count}`)).toEqual([
    'in MED 3A 1',
    'out MED 3A 1',
  ]);

  const bedOf = (status: string, at: string) =>
    adt('A20', { visit: 'none', at }).replace(/PID.*/s, `NPU|ICU^9^2|${status}`);
  await receive(feed, bedOf('K', '20261119120000+0000'));
  await receive(feed, bedOf('U', '20261119110000+0000'));
  expect((await countOf(feed, 'ICU', '2026-11-19'))?.beds_blocked).toBe(1);
  await receive(feed, bedOf('U', '20261119130000+0000'));
  expect((await countOf(feed, 'ICU', '2026-11-19'))?.beds_blocked).toBe(0);
});

it('CEN-8 a merge brings two numbers together, also what comes late under the old one', async () => {
  const feed = await openFeed();
  await receive(feed, adt('A01', { visit: 'OLD' }));
  await receive(feed, adt('A02', { visit: 'NEW', unit: 'ICU', at: '20261119120000+0000' }));
  expect(await countOf(feed, 'ICU', '2026-11-19')).toMatchObject({ closing: 0 });
  const merge = adt('A40', { visit: 'NEW', at: '20261119130000+0000', more: ['MRG|POLD||||OLD'] });
  await receive(feed, merge);
  expect(await countOf(feed, 'ICU', '2026-11-19')).toMatchObject({ closing: 1, transfers_in: 1 });
  await receive(feed, adt('A03', { visit: 'OLD', unit: 'ICU', at: '20261119140000+0000' }));
  expect(await countOf(feed, 'ICU', '2026-11-19')).toMatchObject({ closing: 0, discharges: 1, ad_same_day: 1 });
});

it('CEN-8 an outpatient is no admission, a unit that is not known is refused and the message kept, with an entry in the log', async () => {
  const feed = await openFeed(['MED 3A']);
  await receive(feed, adt('A01', { visit: 'W1' }).replace('PV1|1|I|', 'PV1|1|O|'));
  expect(await countOf(feed, 'MED 3A', '2026-11-19')).toBeNull();
  const refused = await receive(feed, adt('A01', { visit: 'W2', unit: 'ORTHO' }));
  expect(refused).toMatchObject({
    code: 'AE',
    error: { code: 103, place: 'PV1^1^3', reason: 'PV1-3 names the unit ORTHO, which is not known' },
  });
  const log = await sql<{ entry: string }>`
    select entry from census_log where facility_no = ${feed.place.facility_no} and action = 'feed.receive'`.execute(
    database.db,
  );
  expect(log.rows).toHaveLength(1);
  expect(log.rows[0]?.entry).not.toContain('W2');
});

it('CEN-8 R23 a message with characters that cannot be stored is answered all the same, so that those behind it come', async () => {
  const feed = await openFeed(['MED 3A']);
  const named = (id: string) => adt('A01', { visit: 'N1' }).replace(/\|C\d+\|/, `|${id}|`);
  expect(await receive(feed, named('A\u0000B'))).toMatchObject({ code: 'AA', controlId: 'A\uFFFDB' });
  expect(await receive(feed, adt('A01', { visit: 'N2', unit: 'MED\u0000X' }))).toMatchObject({ code: 'AE' });
  const bed = adt('A20', { visit: 'N3' }).replace(/PV1.*/s, `PV1|1||MED 3A^2\u00001${'|'.repeat(37)}K`);
  expect(await receive(feed, bed)).toMatchObject({ code: 'AA' });
});

it('CEN-8 A45 a reason repeats no more of a message than shows what is meant', async () => {
  const feed = await openFeed(['MED 3A']);
  const { error } = await receive(feed, adt('A01', { visit: 'L1', unit: `Reyes ${'x'.repeat(60_000)}` }));
  expect(error?.reason).toBe(`PV1-3 names the unit Reyes ${'x'.repeat(34)}…, which is not known`);
  const time = `2026${'9'.repeat(5_000)}`;
  expect(await receive(feed, adt('A01', { visit: 'L2', at: time }))).toMatchObject({
    error: { reason: `EVN-6: ${time.slice(0, 40)}… is not a time` },
  });
});

it('A31 CEN-8 no number of a visit or patient is kept, and two facilities keep the same number apart', async () => {
  const feed = await openFeed();
  const other = await openFeed();
  await receive(feed, adt('A01', { visit: 'SECRETVISIT' }));
  await receive(other, adt('A01', { visit: 'SECRETVISIT' }));
  const rows = await sql<{ text: string; visit_key: Buffer }>`
    select e::text as text, visit_key from adt_events e
    where facility_no in (${feed.place.facility_no}, ${other.place.facility_no})`.execute(database.db);
  expect(rows.rows).toHaveLength(2);
  expect(rows.rows.map(({ text }) => text).join()).not.toContain('SECRET');
  expect(rows.rows[0]?.visit_key.equals(rows.rows[1]?.visit_key ?? Buffer.alloc(0))).toBe(false);
});

it('CEN-8 rejected messages go after 30 days', async () => {
  const feed = await openFeed();
  await receive(feed, 'good morning');
  const left = async () =>
    (await sql`select 1 from adt_rejects where facility_no = ${feed.place.facility_no}`.execute(database.db)).rows
      .length;
  await purgeRejects(database.db, new Date(Date.now() + 29 * 86_400_000));
  expect(await left()).toBe(1);
  await ticking({ server: database }).at(new Date(Date.now() + 31 * 86_400_000).toISOString());
  expect(await left()).toBe(0);
});

it('CEN-8 the acknowledgement names the message and the reason, whatever characters they have', () => {
  const now = new Date('2026-11-19T16:00:00Z');
  const taken = acknowledgement({ code: 'AA', controlId: 'M1', error: null }, now);
  expect(taken).toMatch(
    /^MSH\|\^~\\&\|WARDLINE\|CENSUS\|\|\|20261119160000\+0000\|\|ACK\|[0-9A-F]{16}\|P\|2\.5\.1\rMSA\|AA\|M1\r$/,
  );
  const error = { code: 101, place: 'PV1^1^19', reason: 'no\rPV1|\u001c' } as const;
  const refused = acknowledgement({ code: 'AE', controlId: 'a|b', error }, now);
  expect(refused.split('\r').slice(1)).toEqual([
    'MSA|AE|a\\F\\b',
    'ERR||PV1^1^19|101^Required field missing^HL70357|E||||no PV1\\F\\ ',
    '',
  ]);
});

it.each([
  ['a swap', (first: string, second: string) => `${adt('A17', { visit: first })}\r${secondOf(second)}`],
  ['a merge', (from: string, into: string) => adt('A40', { visit: into, more: [`MRG|P${from}||||${from}`] })],
])(
  'CEN-8 A48 %s takes its visits in one order, whichever it names first: it waits for the first with none in its hands',
  async (_what, message) => {
    const feed = await openFeed();
    const { facility_no: facilityNo } = feed.place;
    for (const visit of ['V1', 'V2']) await receive(feed, adt('A01', { visit }));
    const visits = await database.db
      .selectFrom('adt_events')
      .select('visit_key')
      .where('facility_no', '=', facilityNo)
      .orderBy('visit_key')
      .execute();
    const [first, last] = visits.map(({ visit_key }) => visit_key);
    if (!first || !last) throw new Error('the visits are not known');
    for (const [one, other] of [
      ['V1', 'V2'],
      ['V2', 'V1'],
    ] as const) {
      let receiving: ReturnType<typeof receive> | undefined;
      await database.db.transaction().execute(async (tx) => {
        await lockVisit(tx, { facilityNo, visitKey: first });
        receiving = receive(feed, message(one, other));
        await untilBlocked(database.db, receiving);
        await sql`set local lock_timeout = '5s'`.execute(tx);
        await lockVisit(tx, { facilityNo, visitKey: last });
      });
      expect(await receiving).toMatchObject({ code: 'AA' });
    }
  },
);

function secondOf(visit: string): string {
  return `PID|2||P${visit}\rPV1|2|I|ICU^1^1||||||||||||||||${visit}`;
}
