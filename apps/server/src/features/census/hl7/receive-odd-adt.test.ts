import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { limitMs, runs } from '#/testing/nightly.ts';
import { adt, countOf, database, openFeed, receive, useAdtRoom } from './testing/adt-room.ts';
import { garbledAdt } from './testing/garbled-adt.ts';

useAdtRoom();

async function logOf(feed: Awaited<ReturnType<typeof openFeed>>): Promise<string[]> {
  const log = await sql<{ entry: string }>`
    select entry from census_log where facility_no = ${feed.place.facility_no} order by seq`.execute(database.db);
  return log.rows.map(({ entry }) => {
    const { unit_code, census_date, outcome, after } = JSON.parse(entry);
    return `${outcome} ${unit_code} ${census_date} ${after.event}`;
  });
}

it('CEN-7 CEN-8 an update counts nothing, and what it changes in silence is in the log, once', async () => {
  const feed = await openFeed();
  const heard = () => logOf(feed);
  const update = (unit: string, hour: number, kind = 'I') =>
    receive(
      feed,
      adt('A08', { visit: 'U1', unit, at: `20261119${hour}0000+0000` }).replace('PV1|1|I|', `PV1|1|${kind}|`),
    );
  await update('ICU', 10);
  await receive(feed, adt('A01', { visit: 'U1', at: '20261119110000+0000' }));
  await update('MED 3A', 12);
  await update('ORTHO', 12);
  expect(await heard()).toEqual([]);
  await update('ICU', 13);
  await update('ICU', 14);
  const moved = 'done MED 3A 2026-11-19 A08 names ICU, no transfer told of it';
  expect(await heard()).toEqual([moved]);
  await update('MED 3A', 15, 'O');
  await update('MED 3A', 16, 'O');
  await update('MED 3A', 17, '');
  expect(await update('', 18)).toMatchObject({ code: 'AA' });
  const outpatient = 'done MED 3A 2026-11-19 A08 says that a patient here is no inpatient';
  expect(await heard()).toEqual([moved, outpatient]);
  expect(await countOf(feed, 'MED 3A', '2026-11-19')).toMatchObject({ closing: 1, admissions: 1, discharges: 0 });
  expect(await countOf(feed, 'ICU', '2026-11-19')).toMatchObject({ closing: 0, admissions: 0 });
});

it('CEN-7 CEN-8 what an update says otherwise at the moment of the admission is in the log once too', async () => {
  const feed = await openFeed();
  const at = (hour: number) => ({ visit: 'U1', at: `20261119${hour}0000+0000` });
  await receive(feed, adt('A01', at(11)));
  await receive(feed, adt('A08', { ...at(11), unit: 'ICU' }));
  await receive(feed, adt('A08', { ...at(12), unit: 'ICU' }));
  expect(await logOf(feed)).toEqual(['done MED 3A 2026-11-19 A08 names ICU, no transfer told of it']);
});

it(
  'CEN-8 whatever comes is stored and answered: none holds up those behind it',
  async () => {
    const feed = await openFeed(['MED 3A', 'ICU']);
    await fc.assert(
      fc.asyncProperty(garbledAdt, async (text) => {
        const { code, error } = await receive(feed, text);
        expect(code === 'AA').toBe(error === null);
      }),
      { numRuns: runs(100) },
    );
  },
  limitMs(60_000),
);

it('CEN-8 merged patients take no visit with them that happens to have the number of one', async () => {
  const feed = await openFeed();
  await receive(feed, adt('A01', { visit: '1005' }));
  const merge = adt('A40', { visit: '77', unit: 'ICU', at: '20261119130000+0000', more: ['MRG|1005'] });
  expect(await receive(feed, merge)).toMatchObject({ code: 'AA' });
  await receive(feed, adt('A03', { visit: '1005', at: '20261119140000+0000' }));
  expect(await countOf(feed, 'MED 3A', '2026-11-19')).toMatchObject({ closing: 0, admissions: 1, discharges: 1 });
});

it('CEN-8 merges of merges lead to the last number, also around in a circle', async () => {
  const feed = await openFeed();
  const merge = (from: string, into: string) =>
    receive(feed, adt('A40', { visit: into, more: [`MRG|P${from}||||${from}`] }));
  await receive(feed, adt('A01', { visit: 'ONE' }));
  await merge('ONE', 'TWO');
  await merge('TWO', 'THREE');
  expect(await merge('THREE', 'ONE')).toMatchObject({ code: 'AA' });
  for (const [index, visit] of ['ONE', 'TWO', 'THREE'].entries()) {
    await receive(feed, adt('A21', { visit, at: `2026111912${index}000+0000` }));
    expect(await countOf(feed, 'MED 3A', '2026-11-19')).toMatchObject({ closing: 1, on_leave: 1 });
    await receive(feed, adt('A22', { visit, at: `2026111912${index}500+0000` }));
    expect(await countOf(feed, 'MED 3A', '2026-11-19')).toMatchObject({ closing: 1, on_leave: 0 });
  }
});

it('CEN-8 the same message on two connections at once is taken once', async () => {
  const feed = await openFeed();
  const [first, second] = [
    adt('A01', { visit: 'T1' }),
    adt('A02', { visit: 'T1', unit: 'ICU', at: '20261119110000+0000' }),
  ];
  const answers = await Promise.all([first, first, second, second, first].map((text) => receive(feed, text)));
  expect(answers.map(({ code }) => code)).toEqual(['AA', 'AA', 'AA', 'AA', 'AA']);
  expect(await countOf(feed, 'MED 3A', '2026-11-19')).toMatchObject({ closing: 0, admissions: 1, transfers_out: 1 });
  expect(await countOf(feed, 'ICU', '2026-11-19')).toMatchObject({ closing: 1, transfers_in: 1 });
});
