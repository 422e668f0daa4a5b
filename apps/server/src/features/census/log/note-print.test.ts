import { expect, it } from 'vitest';
import { auditOf, signedIn } from '#/testing/test-client.ts';
import { anaId, facility, list, officer, officerId, server, useLogRoom } from './testing/log-room.ts';

useLogRoom();

const print = async (body: object, person = officer) =>
  person.send('POST', `/api/census/facilities/${facility.id}/prints`, { body });

it('CEN-7 CEN-6 who prints a sheet, of which dates, is in the log each time', async () => {
  const day = { sheet: 'day', from: '2026-11-17', to: '2026-11-17' };
  expect((await print(day)).statusCode).toBe(204);
  expect((await print(day)).statusCode).toBe(204);
  expect((await print({ sheet: 'month', from: '2026-11-01', to: '2026-11-30' })).statusCode).toBe(204);
  const { data } = await list(officer, '?action=print');
  expect(data).toMatchObject([
    { actor_name: 'Ruth Calloway', census_date: null, after: { kind: 'monthly compilation' } },
    { census_date: '2026-11-17', after: { kind: 'daily census', from: '2026-11-17', to: '2026-11-17' } },
    { census_date: '2026-11-17', after: { kind: 'daily census' } },
  ]);
  expect(await auditOf(server, 'census.print', officerId)).toHaveLength(3);
});

it('CEN-7 who may not print is refused, and the log says so', async () => {
  const ana = await signedIn(server, anaId);
  expect((await print({ sheet: 'day', from: '2026-11-17', to: '2026-11-17' }, ana)).statusCode).toBe(403);
  expect((await list(officer, '?action=print')).data).toMatchObject([
    { actor_id: anaId, outcome: 'refused', after: { refused: 'forbidden' } },
  ]);
});

it.each([
  [{ sheet: 'book', from: '2026-11-17', to: '2026-11-17' }],
  [{ sheet: 'day', from: '2026-11-17', to: '2026-11-16' }],
  [{ sheet: 'day', from: '2027-02-29', to: '2027-03-01' }],
  [{ sheet: 'day', from: '9999-12-31', to: '9999-12-31' }],
])('CEN-7 CEN-R15 %j is no print and leaves nothing in the log', async (body) => {
  expect((await print(body)).statusCode).toBe(422);
  expect((await list(officer, '?action=print')).data).toEqual([]);
});
