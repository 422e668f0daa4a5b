import { expect, it } from 'vitest';
import { facilityForCensus } from './census-pages.ts';

const brigid = { id: 'brigid', permissions: ['census.view'] };
const harbour = { id: 'harbour', permissions: ['census.view', 'census.logs'] };

it('NAV-5 a census page shows the facility one is in, where the permission holds there', () => {
  expect(facilityForCensus([brigid, harbour], 'harbour', 'census.view')).toBe(harbour);
});

it('NAV-5 a census page shows the first facility where the permission holds, when it does not hold here', () => {
  expect(facilityForCensus([brigid, harbour], 'brigid', 'census.logs')).toBe(harbour);
});

it('NAV-5 a permission held nowhere gives no facility', () => {
  expect(facilityForCensus([brigid, harbour], 'brigid', 'census.report_units')).toBeUndefined();
});
