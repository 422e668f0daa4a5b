import { zonedInstant } from '@wardline/census/calendar.ts';
import {
  type Capacity,
  capacityOf,
  icuCapacity,
  type KnownBeds,
  type Place,
  SAFR_GROUPS,
  type SafrGroup,
} from './capacity.ts';
import type { UnitDayRow } from './exchange-queries.ts';

/** One census date of a facility, as a public-health report tells of it. */
export interface ReportedDay {
  readonly facilityId: string;
  readonly facilityCode: string;
  readonly facilityName: string;
  readonly timeZone: string;
  readonly date: string;
  /** First instant of the date and of the one after it. */
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly isComplete: boolean;
  readonly units: readonly UnitDayRow[];
  /** Units and populations whose report is not in. */
  readonly missing: readonly Place[];
}

const SANER = 'http://hl7.org/fhir/uv/saner';
const ABSENT = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
const POPULATION = 'http://terminology.hl7.org/CodeSystem/measure-population';
const LOINC = 'http://loinc.org';
const SAFR = 'http://hl7.org/fhir/us/safr';

/** A count, or that it is not known: SANER asks for one of the two. */
function counted(value: number | null) {
  if (value !== null) return { count: value };
  return { _count: { extension: [{ url: ABSENT, valueCode: 'unknown' }] } };
}

/** What both kinds of report say of when, whose and by whom. */
function frame(day: ReportedDay, generatedAt: Date) {
  const zoned = (instant: Date) => zonedInstant(instant, day.timeZone);
  return {
    resourceType: 'MeasureReport' as const,
    status: day.isComplete ? ('complete' as const) : ('pending' as const),
    type: 'summary' as const,
    subject: {
      identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${day.facilityId}` },
      reference: `Location/${day.facilityId}`,
      display: day.facilityName,
    },
    date: zoned(generatedAt),
    reporter: { reference: `Organization/${day.facilityId}`, display: day.facilityName },
    period: { start: zoned(day.startsAt), end: zoned(new Date(day.endsAt.getTime() - 1000)) },
  };
}

/** HL7 SANER STU1, measure CDCPatientImpactAndHospitalCapacity, group Beds. */
export function sanerReport(day: ReportedDay, generatedAt: Date) {
  const populations = sanerCounts(day).map(([code, value]) => ({
    code: { coding: [{ system: `${SANER}/CodeSystem/MeasuredValues`, code }] },
    ...counted(value),
  }));
  return {
    ...frame(day, generatedAt),
    meta: { profile: [`${SANER}/StructureDefinition/PublicHealthMeasureReport`] },
    measure: `${SANER}/Measure/CDCPatientImpactAndHospitalCapacity`,
    group: [
      {
        code: { coding: [{ system: `${SANER}/CodeSystem/MeasureGroupSystem`, code: 'Beds' }] },
        population: populations,
      },
    ],
  };
}

/** The counts of SANER's group Beds under its codes. Staffed inpatient beds; null where not every unit of the kind has reported. */
export function sanerCounts(beds: KnownBeds): [code: string, value: number | null][] {
  const all = capacityOf('all_inpatient', beds);
  const icu = icuCapacity(beds);
  return [
    ['numbeds', all?.staffed ?? null],
    ['numBedsOcc', all?.occupied ?? null],
    ['numICUBeds', icu?.staffed ?? null],
    ['numICUBedsOcc', icu?.occupied ?? null],
  ];
}

/** What US SAFR asks for as well and no census tells: all who are in the emergency department, and beds for a surge. */
const UNKNOWN_COUNTS = [
  { id: 'ed-total', code: '112508-7', value: null },
  { id: 'surge-active-occupied', code: '112525-1', value: null },
  { id: 'surge-active-unoccupied', code: '112524-4', value: null },
  { id: 'surge-inactive', code: '112523-6', value: null },
] as const;

/** US SAFR bed capacity: a group for each LOINC code, occupied and unoccupied; unoccupied beds are staffed and not blocked. */
export function safrReport(day: ReportedDay, generatedAt: Date) {
  const known = (Object.keys(SAFR_GROUPS) as SafrGroup[]).flatMap((group) => {
    const [occupied, unoccupied]: readonly [string, string?] = SAFR_GROUPS[group];
    const capacity = capacityOf(group, day);
    const id = group.replaceAll('_', '-');
    return [
      { id: `${id}-occupied`, code: occupied, value: capacity?.occupied ?? null },
      ...(unoccupied ? [{ id: `${id}-unoccupied`, code: unoccupied, value: unoccupiedOf(capacity) }] : []),
    ];
  });
  return {
    ...frame(day, generatedAt),
    measure: `${SAFR}/Measure/BedCapacityMeasureExample`,
    group: [...known, ...UNKNOWN_COUNTS].map(({ id, code, value }) => ({
      id,
      code: { coding: [{ system: LOINC, code }] },
      population: [{ code: { coding: [{ system: POPULATION, code: 'initial-population' }] }, ...counted(value) }],
    })),
  };
}

function unoccupiedOf(capacity: Capacity | null): number | null {
  return capacity && Math.max(0, capacity.staffed - capacity.blocked - capacity.occupied);
}

/** Several reports in one file. */
export function bundleOf(reports: readonly object[]) {
  return { resourceType: 'Bundle', type: 'collection', entry: reports.map((resource) => ({ resource })) };
}
