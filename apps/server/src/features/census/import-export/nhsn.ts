import type { Cell } from '#/platform/files/csv.ts';
import { capacityOf, icuCapacity } from './capacity.ts';
import type { ReportedDay } from './measure-report.ts';

/**
 * The columns of the US hospital respiratory data that a census knows, spelled as in US SAFR's code system. The heads of the
 * facility and the date must be compared with CDC's current template before it is uploaded (docs/census-files.md).
 */
export const NHSN_COLUMNS = [
  'orgID',
  'collectionDate',
  'numInPtBeds',
  'numInPtBedsAdult',
  'numInPtBedsPed',
  'numInPtBedsOcc',
  'numInPtBedsOccAdult',
  'numInPtBedsOccPed',
  'numICUBeds',
  'numICUBedsAdult',
  'numICUBedsPed',
  'numICUBedsOcc',
  'numICUBedsOccAdult',
  'numICUBedsOccPed',
] as const;

/** One day: beds as a snapshot at the census hour. What a missing unit is part of, or no unit reports, is blank, never 0. */
export function nhsnLine({ facilityCode, date, ...beds }: ReportedDay): Cell[] {
  const all = capacityOf('all_inpatient', beds);
  const adult = capacityOf('adult_total', beds);
  const pediatric = capacityOf('peds_total', beds);
  const icu = icuCapacity(beds);
  const adultIcu = capacityOf('adult_icu', beds);
  const pediatricIcu = capacityOf('peds_icu', beds);
  const inpatientBeds = [all, adult, pediatric];
  const icuBeds = [icu, adultIcu, pediatricIcu];
  return [
    facilityCode,
    date,
    ...inpatientBeds.map((part) => part?.staffed ?? null),
    ...inpatientBeds.map((part) => part?.occupied ?? null),
    ...icuBeds.map((part) => part?.staffed ?? null),
    ...icuBeds.map((part) => part?.occupied ?? null),
  ];
}
