import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { clock, place, ruth, useClockRoom, ward } from '#/features/census/clock/testing/clock-room.ts';
import { alertsOf, linesIn } from '#/features/census/clock/testing/ticking.ts';
import { adtOf, type FeedRoom, openFeedRoom } from '#/features/census/feed-setup/testing/feed-room.ts';
import { startFeed } from '#/features/census/hl7/testing/adt-room.ts';

useClockRoom({ code: 'ICU', opensAt: '2026-11-19T16:10:00Z' });

let room: FeedRoom;
let visits = 0;
beforeEach(async () => {
  room = await openFeedRoom(ward, place);
  await clock.at('2026-11-19T16:11:00Z');
});

/** What was said of the patient system. */
const ofFeed = (said: string) => said.includes('atient system');
const alerts = async () => (await alertsOf(ward, place)).filter(ofFeed);
const lines = async () => (await linesIn(ward, place)).filter(({ body }) => ofFeed(body));

/** Messages of the patient system, as if they had come at these times. */
async function hear(times: readonly string[], unit = 'ICU'): Promise<void> {
  const { db } = ward.server;
  for (const time of times) {
    await room.hand(adtOf('A01', { visit: `V${++visits}`, unit, at: '202611190200' }));
    const of = sql`where facility_no = ${place.facilityNo} and received_at > '2026-11-21'`;
    await sql`update adt_events set received_at = ${time} ${of}`.execute(db);
    await sql`update adt_rejects set received_at = ${time}, tried_at = ${time} ${of}`.execute(db);
  }
}

const silence = (since: string) =>
  `The patient system has sent nothing since ${since}: who has come and gone since then is in no report by it. Ask its team`;
const refused =
  'Messages of the patient system are refused: what they say is in no report. Why, and what to do, stands in the census settings under Patient system';

describe('the patient system', () => {
  it('F-N10 CEN-9 a silence of four hours is said on the board and to those who sign, and is over with the next message', async () => {
    await startFeed(ward.server.db, place.facility.id);
    await hear(['2026-11-19T14:00:00Z', '2026-11-19T15:00:00Z']);
    await clock.at('2026-11-19T18:59:00Z');
    expect(await alerts()).toEqual([]);
    await clock.at('2026-11-19T19:01:00Z');
    const said = silence('Thu 19 Nov, 23:00');
    expect(await alerts()).toEqual([said]);
    expect((await lines()).map(({ title, body }) => [title, body])).toEqual([['Census', `Alert: ${said}`]]);
    const board = await ruth.client.send('GET', `/api/census/facilities/${place.facility.id}/board`);
    expect(board.json().alerts).toContainEqual(
      expect.objectContaining({ rule: 'feed_silent', unit_id: null, unit_code: null }),
    );
    await hear(['2026-11-19T19:30:00Z']);
    await clock.at('2026-11-19T19:31:00Z');
    expect(await alerts()).toEqual([`${said} (cleared)`]);
  });

  it('F-N10 CEN-9 a silence that this hospital has had before is none, and an outage makes no long silence usual', async () => {
    await startFeed(ward.server.db, place.facility.id);
    await hear(['2026-11-16T00:00:00Z', '2026-11-17T20:00:00Z', '2026-11-18T05:00:00Z', '2026-11-19T11:00:00Z']);
    await clock.at('2026-11-19T19:30:00Z');
    expect(await alerts()).toEqual([]);
    await clock.at('2026-11-19T20:01:00Z');
    expect(await alerts()).toHaveLength(1);
  });

  it('F-N10 CEN-9 one that is not started may be silent', async () => {
    await hear(['2026-11-19T01:00:00Z']);
    await clock.at('2026-11-19T19:01:00Z');
    expect(await alerts()).toEqual([]);
  });

  it('F-N10 CEN-9 one that is stopped is silent by intent: the alert is over', async () => {
    await startFeed(ward.server.db, place.facility.id);
    await hear(['2026-11-19T14:00:00Z']);
    await clock.at('2026-11-19T19:01:00Z');
    const said = silence('Thu 19 Nov, 22:00');
    expect(await alerts()).toEqual([said]);
    expect((await room.post(ruth, '/stop', { reason: 'Another one comes' })).statusCode).toBe(200);
    await clock.at('2026-11-19T19:02:00Z');
    expect(await alerts()).toEqual([`${said} (cleared)`]);
  });

  it('F-N10 CEN-9 refused messages are told to those who sign, and no more when they are taken or a day old', async () => {
    await startFeed(ward.server.db, place.facility.id);
    await hear(['2026-11-19T16:12:00Z']);
    await hear(['2026-11-19T16:12:00Z'], 'ORTHO');
    await clock.at('2026-11-19T16:13:00Z');
    expect(await alerts()).toEqual([refused]);
    expect((await lines()).map(({ body }) => body)).toEqual([`Alert: ${refused}`]);
    await ward.unit('ORTHO', {}, place);
    const [message] = (await room.refused(ruth)).data;
    await room.post(ruth, `/refused/${message?.id}/retry`);
    await clock.at('2026-11-19T16:14:00Z');
    expect(await alerts()).toEqual([`${refused} (cleared)`]);
  });
});
