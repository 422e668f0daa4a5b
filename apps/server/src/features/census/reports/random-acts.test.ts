import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moments, NOW, openHospital, tryAct } from '#/features/census/testing/random-acts.ts';
import { whatIsBroken } from '#/features/census/testing/what-is-broken.ts';
import { limitMs, runs } from '#/testing/nightly.ts';
import { type CensusFixture, openCensusFixture, setNow } from './testing/census-fixture.ts';

let ward: CensusFixture;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());

it(
  'CEN-3 A46 A48 whatever several people try at once: every answer is one, and chain, sums, states and log hold after each',
  async () => {
    await fc.assert(
      fc.asyncProperty(moments, async (tried) => {
        const hospital = await openHospital(ward);
        for (const attempts of tried) {
          const answers = await Promise.all(attempts.map((attempt) => tryAct(hospital, attempt)));
          for (const repeats of answers.flat()) {
            const statuses = repeats.map(({ status }) => status);
            expect([200, 403, 409, 422], JSON.stringify(repeats)).toEqual(expect.arrayContaining(statuses));
            // What was done is found by its repeat, which would else be of an older version.
            if (statuses.includes(200)) expect(statuses).not.toContain(409);
          }
          expect(await whatIsBroken(ward.server.db, hospital.place.facilityNo)).toEqual([]);
        }
        const verify = `/api/census/facilities/${hospital.place.facility.id}/logs/verify?run=true`;
        const chain = (await hospital.officers[0].client.send('GET', verify)).json();
        expect(chain).toMatchObject({ broken_at: null });
      }),
      { numRuns: runs(2), endOnFailure: true },
    );
  },
  limitMs(120_000),
);
