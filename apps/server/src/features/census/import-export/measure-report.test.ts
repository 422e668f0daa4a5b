import { Fhir } from 'fhir/fhir.js';
import { expect, it } from 'vitest';
import { capacityOf, icuCapacity } from './capacity.ts';
import { bundleOf, type ReportedDay, safrReport, sanerReport } from './measure-report.ts';
import { NHSN_COLUMNS, nhsnLine } from './nhsn.ts';
import { unitDayRow } from './testing/unit-day-row.ts';

const validator = new Fhir();

const icu = unitDayRow({ unit_code: 'ICU', safr_group: 'adult_icu', closing: 9, beds_staffed: 10, beds_blocked: 0 });
const day: ReportedDay = {
  facilityId: '0197f2a0-0000-7000-8000-000000000001',
  facilityCode: 'SB',
  facilityName: 'St. Brigid General',
  timeZone: 'Asia/Manila',
  date: '2026-11-19',
  startsAt: new Date('2026-11-18T16:00:00Z'),
  endsAt: new Date('2026-11-19T16:00:00Z'),
  isComplete: true,
  units: [
    unitDayRow(),
    icu,
    unitDayRow({
      unit_code: 'NUR',
      population: 'newborn',
      safr_group: 'nursery',
      closing: 9,
      beds_staffed: 14,
      beds_blocked: 0,
    }),
    unitDayRow({
      unit_code: 'ED',
      safr_group: 'ed_admitted',
      counts_in_occupancy: false,
      closing: 6,
      beds_staffed: 0,
      beds_blocked: 0,
    }),
    unitDayRow({
      unit_code: 'PED',
      safr_group: 'peds',
      status: 'draft',
      closing: 9,
      beds_staffed: 12,
      beds_blocked: 0,
    }),
  ],
  missing: [],
};
const now = new Date('2026-11-19T16:20:00Z');

it('CEN-8 the MeasureReport of a day is valid FHIR by an independent validator, and says what SANER asks', () => {
  const report = sanerReport(day, now);
  const { valid, messages } = validator.validate(report, { errorOnUnexpected: true });
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(valid).toBe(true);
  expect(report).toMatchObject({
    status: 'complete',
    type: 'summary',
    date: '2026-11-20T00:20:00+08:00',
    period: { start: '2026-11-19T00:00:00+08:00', end: '2026-11-19T23:59:59+08:00' },
  });
  const counts = report.group[0]?.population.map(({ code, ...value }) => [code.coding[0]?.code, value]);
  expect(counts).toEqual([
    ['numbeds', { count: 38 }],
    ['numBedsOcc', { count: 31 }],
    ['numICUBeds', { count: 10 }],
    ['numICUBedsOcc', { count: 9 }],
  ]);
});

it('CEN-8 a count that nobody has reported is absent with its reason, never 0, and the report is pending', () => {
  const report = sanerReport({ ...day, isComplete: false, units: [unitDayRow()] }, now);
  expect(report.status).toBe('pending');
  expect(report.group[0]?.population[3]).toEqual({
    code: { coding: [{ system: 'http://hl7.org/fhir/uv/saner/CodeSystem/MeasuredValues', code: 'numICUBedsOcc' }] },
    _count: {
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
    },
  });
});

it('CEN-8 the validator sees a broken report', () => {
  const broken = { ...sanerReport(day, now), status: 'finished', period: undefined };
  expect(validator.validate(broken, { errorOnUnexpected: true }).valid).toBe(false);
});

it('CEN-8 US SAFR has a LOINC group for occupied and one for unoccupied beds, which are staffed and not blocked', () => {
  const report = safrReport(day, now);
  const { messages } = validator.validate(bundleOf([report]), { errorOnUnexpected: true });
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
  const count = (loinc: string) => report.group.find(({ code }) => code.coding[0]?.code === loinc)?.population[0];
  expect(count('112579-8')).toMatchObject({ count: 31 });
  expect(count('112578-0')).toMatchObject({ count: 38 - 1 - 31 });
  expect(count('112575-6')).toMatchObject({ count: 9 });
  expect(count('112535-0')).toMatchObject({ count: 9 });
  expect(count('112534-3')).toMatchObject({ count: 5 });
  expect(count('112564-0')).toHaveProperty('_count');
  expect(count('112507-9')).toMatchObject({ count: 6 });
  for (const unknown of ['112508-7', '112525-1', '112524-4', '112523-6']) {
    expect(count(unknown)).toHaveProperty('_count');
  }
});

it('CEN-8 only what was handed in is counted, newborn bassinets and places without beds are no inpatient beds', () => {
  expect(capacityOf('all_inpatient', day)).toEqual({ occupied: 31, staffed: 38, blocked: 1 });
  expect(capacityOf('peds_total', day)).toBeNull();
  expect(icuCapacity(day)).toEqual({ occupied: 9, staffed: 10, blocked: 0 });
  expect(capacityOf('adult_icu', { units: [{ ...icu, on_leave: 2 }], missing: [] })?.occupied).toBe(7);
});

it('CEN-8 a place that does not count in the census is in no group, and newborns are in no group of their mothers', () => {
  const units = [
    ...day.units,
    unitDayRow({ unit_code: 'DAY', counts_in_census: false, safr_group: 'adult_observation', closing: 3 }),
    unitDayRow({ unit_code: 'MAT', safr_group: 'obstetric', closing: 5, beds_staffed: 8, beds_blocked: 0 }),
    unitDayRow({ unit_code: 'MAT', population: 'newborn', safr_group: 'obstetric', closing: 4 }),
  ];
  const known = { units, missing: [] };
  expect(capacityOf('all_inpatient', known)).toEqual({ occupied: 36, staffed: 46, blocked: 1 });
  expect(capacityOf('adult_total', known)?.occupied).toBe(36);
  expect(capacityOf('adult_observation', known)).toBeNull();
  expect(capacityOf('obstetric', known)).toEqual({ occupied: 5, staffed: 8, blocked: 0 });
});

it('CEN-8 3.4 the sum of a group of which a unit is missing is absent, not the sum of the others; other groups are whole', () => {
  const missing = [{ safr_group: 'adult_icu', population: 'adult_and_child', counts_in_occupancy: true }] as const;
  const lacking = { ...day, isComplete: false, missing };
  expect(capacityOf('all_inpatient', lacking)).toBeNull();
  expect(capacityOf('adult_icu', lacking)).toBeNull();
  expect(icuCapacity(lacking)).toBeNull();
  expect(capacityOf('adult_med_surg', lacking)).toEqual({ occupied: 22, staffed: 28, blocked: 1 });
  expect(nhsnLine(lacking)).toEqual(['SB', '2026-11-19', ...Array(12).fill(null)]);
  const { status, group } = sanerReport(lacking, now);
  expect(status).toBe('pending');
  expect(group[0]?.population.every((count) => '_count' in count)).toBe(true);
});

it('CEN-8 the NHSN line has a blank where no unit reports', () => {
  const line = Object.fromEntries(nhsnLine(day).map((cell, index) => [NHSN_COLUMNS[index], cell]));
  expect(line).toEqual({
    orgID: 'SB',
    collectionDate: '2026-11-19',
    numInPtBeds: 38,
    numInPtBedsAdult: 38,
    numInPtBedsPed: null,
    numInPtBedsOcc: 31,
    numInPtBedsOccAdult: 31,
    numInPtBedsOccPed: null,
    numICUBeds: 10,
    numICUBedsAdult: 10,
    numICUBedsPed: null,
    numICUBedsOcc: 9,
    numICUBedsOccAdult: 9,
    numICUBedsOccPed: null,
  });
});
