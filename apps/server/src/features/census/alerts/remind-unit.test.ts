import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linesIn } from '#/features/census/clock/testing/ticking.ts';
import { actionsOf, dayUrl, getDay } from '#/features/census/day/testing/days.ts';
import {
  type CensusFixture,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  type Place,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';

const DATE = '2026-11-19';

let ward: CensusFixture;
let place: Place;
let icu: FixtureUnit;
let kofi: Person;
let ruth: Person;
beforeAll(async () => {
  setNow('2026-11-19T17:30:00Z');
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow('2026-11-19T17:30:00Z');
  place = await ward.elsewhere();
  icu = await ward.unit('ICU', {}, place);
  kofi = await ward.person(['chargeNurse'], [icu], place);
  ruth = await ward.person(['censusOfficer'], [], place);
});
const remind = (person: Person, more: object = {}) =>
  person.client.send('POST', `${dayUrl(place, DATE)}/remind`, {
    body: { unit_id: icu.id, population: 'adult_and_child', ...more },
  });

describe('a reminder', () => {
  it('CEN-10 asks the people of the unit in its discussion, and is in the log', async () => {
    const response = await remind(ruth);
    expect(response.statusCode).toBe(200);
    expect(await linesIn(ward, place)).toEqual([
      { title: 'ICU · Thu 19 Nov', sender: ruth.name, body: 'asks for the report of ICU for Thu 19 Nov' },
    ]);
    const discussion = response.json().discussion_chat_id;
    expect((await kofi.client.send('GET', `/api/chats/${discussion}`)).json()).toMatchObject({ my: { unread: 1 } });
    expect(await actionsOf(ward, place)).toEqual(['reminder.send']);
  });

  it('CEN-10 opens a discussion that the day tells to who is in it, and to nobody else', async () => {
    const discussion = (await remind(ruth)).json().discussion_chat_id;
    const toldTo = async (person: Person) => (await getDay(person, place, DATE)).day.units[0]?.discussion_chat_id;
    expect(await toldTo(ruth)).toBe(discussion);
    expect(await toldTo(await ward.person(['censusOfficer'], [], place))).toBeNull();
  });

  it('CEN-10 is sent at most every ten minutes, also by two at the same moment', async () => {
    const both = await Promise.all([remind(ruth), remind(ruth)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429]);
    setNow('2026-11-19T17:39:59Z');
    const early = await remind(ruth);
    expect(early).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } });
    setNow('2026-11-19T17:40:00Z');
    expect((await remind(ruth)).statusCode).toBe(200);
    expect(await linesIn(ward, place)).toHaveLength(2);
  });

  it('CEN-10 is refused for a report that is in, and for a unit that reports nothing', async () => {
    expect((await remind(ruth, { population: 'newborn' })).statusCode).toBe(422);
    await report(kofi, { unit: icu, date: DATE }, { seed: 8 });
    const refused = await remind(ruth);
    expect(refused.json()).toMatchObject({
      message: 'ICU has handed in its report.',
      findings: [{ code: 'WRONG_STATUS' }],
    });
  });

  it('CEN-10 A16 is for those who sign, in their facility', async () => {
    expect((await remind(kofi)).statusCode).toBe(403);
    expect((await remind(await ward.person(['censusOfficer']))).statusCode).toBe(404);
    const theirs = await ward.unit('THEIRS');
    expect((await remind(ruth, { unit_id: theirs.id })).statusCode).toBe(422);
    expect(await linesIn(ward, place)).toEqual([]);
  });
});
