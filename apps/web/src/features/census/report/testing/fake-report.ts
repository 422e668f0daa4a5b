import { nilCounts } from '@wardline/census/balance.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';

const id = (group: string, number: number): string =>
  `01970000-0000-7000-8${group.padStart(3, '0')}-${String(number).padStart(12, '0')}`;

export const FACILITY_ID = id('f', 1);
export const UNIT_ID = id('1', 1);
export const ICU_ID = id('1', 2);
export const ONC_ID = id('1', 3);

/** MED 3A on Thu 19 Nov 2026: opened with 24, nothing typed, the ICU says it sent 2. */
export function fakeDay(change: Partial<UnitDay> = {}): UnitDay {
  const none = Object.fromEntries(Object.keys(nilCounts()).map((field) => [field, null])) as UnitDay['counts'];
  return {
    facility_id: FACILITY_ID,
    unit_id: UNIT_ID,
    unit_code: 'MED 3A',
    unit_name: 'Medical ward 3A',
    census_date: '2026-11-19',
    population: 'adult_and_child',
    status: 'draft',
    conditions: ['due'],
    source: 'manual',
    version: 0,
    opening: 24,
    opening_from: '2026-11-18',
    counts: none,
    closing: null,
    present: null,
    service_days: null,
    beds: { licensed: 30, physical: 30, staffed: 28, surge: 2, blocked: 0 },
    transfers: [],
    variance_reason: null,
    capacity_reason: null,
    note: null,
    time_zone: 'UTC',
    census_at: '2026-11-20T00:00:00Z',
    due_at: '2026-11-20T01:00:00Z',
    submitted_at: null,
    submitted_by: null,
    is_on_time: null,
    approved_at: null,
    approved_by: null,
    last_reason: null,
    discussion_chat_id: null,
    may: { edit: true, submit: true, withdraw: false, return: false, approve: false, amend: false },
    ...change,
  };
}

/** A partner's word: the ICU sent so many. */
export function fromIcu(theirs: number | null, mine: number | null = null): UnitDay['transfers'][number] {
  return { unit_id: ICU_ID, unit_code: 'ICU', direction: 'in', mine, theirs, partner_status: 'submitted' };
}
