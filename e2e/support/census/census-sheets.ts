import type { HttpPerson } from '../http-person.ts';

interface Unit {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly population: 'adult_and_child' | 'newborn';
  readonly status: string | null;
  readonly counts_in_occupancy: boolean;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly present: number | null;
  readonly service_days: number | null;
  readonly counts: Readonly<Record<string, number | null>>;
  readonly beds: { readonly staffed: number; readonly blocked: number };
}

interface Cell {
  readonly from_unit_id: string;
  readonly to_unit_id: string;
  readonly population: string;
  readonly out_count: number | null;
  readonly in_count: number | null;
}

/** A facility's day, as far as its sheets carry it. */
export interface PrintedDay {
  readonly status: string;
  readonly units_expected: number;
  readonly units_submitted: number;
  readonly log_head: string | null;
  readonly units: readonly Unit[];
  readonly transfers: readonly Cell[];
}

type Sums = Readonly<Record<string, number>>;

/** A facility's month, as far as its sheets carry it. */
export interface PrintedMonth {
  readonly total: { readonly adult_and_child: Sums; readonly newborn: Sums };
  readonly steps: ReadonlyArray<{
    readonly from: string;
    readonly sums: { readonly adult_and_child: Sums; readonly newborn: Sums };
  }>;
}

export const dayOf = (person: HttpPerson, facility: string, date: string) =>
  person.get<PrintedDay>(`/api/census/facilities/${facility}/days/${date}`);

export const monthOf = (person: HttpPerson, facility: string, range: { from: string; to: string }) =>
  person.get<PrintedMonth>(
    `/api/census/facilities/${facility}/summary?${new URLSearchParams({ ...range, by: 'day' })}`,
  );

/** A number as the sheets write it; what is not known is a dash. */
export function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toLocaleString('en-US');
}

/** Two decimals, or a dash where nothing divides. */
export function share(part: number, whole: number, factor = 1): string {
  if (whole === 0) return '–';
  return (Math.round((part * factor * 100) / whole + 1e-9) / 100).toLocaleString('en-US', {
    minimumFractionDigits: 2,
  });
}

const MOVES = ['admissions', 'births', 'transfers_in', 'discharges', 'deaths', 'deaths_u48', 'transfers_out'];

/** Counted − present. */
function varianceOf({ counts, closing }: Pick<Unit, 'counts' | 'closing'>): number | null {
  const { counted = null, on_leave: leave = null } = counts;
  return counted === null || closing === null || leave === null ? null : counted - (closing - leave);
}

/** With its sign. */
function signed(value: number | null): string {
  if (value === null) return figure(value);
  return value > 0 ? `+${figure(value)}` : figure(value).replace('-', '−');
}

/** Where the variance stands among the figures. */
const VARIANCE = MOVES.length + 4;

const cells = (figures: readonly (number | null | undefined)[]) =>
  figures.map((value, column) => (column === VARIANCE ? signed(value ?? null) : figure(value)));

/** The figures of a unit in the columns of the facility's sheet, up to its staffed beds. */
function dayFigures({ counts, opening, closing, service_days, beds }: Unit): (number | null | undefined)[] {
  return [
    opening,
    ...MOVES.map((field) => counts[field]),
    closing,
    counts['on_leave'],
    counts['counted'],
    varianceOf({ counts, closing }),
    counts['ad_same_day'],
    service_days,
    beds.staffed,
  ];
}

/** The row of a unit on the facility's sheet, up to its staffed beds and occupancy. */
export function dayRow(unit: Unit): string {
  const { service_days, beds } = unit;
  const occupancy =
    unit.counts_in_occupancy && service_days !== null ? share(service_days, beds.staffed, 100) : figure(null);
  return [unit.unit_code, ...cells(dayFigures(unit)), occupancy].join(' ');
}

/** The row under them: each column added over the reports that are in, with a star where one is not. */
export function dayFoot({ units, units_submitted, units_expected }: PrintedDay): string {
  const isIn = ({ status }: Unit) => ['submitted', 'approved', 'locked', 'amending'].includes(status ?? '');
  const handedIn = units.filter(isIn).map(dayFigures);
  const columns = Array.from({ length: MOVES.length + 8 }, (_, column) =>
    handedIn.length === 0 ? null : handedIn.reduce((sum, figures) => sum + (figures[column] ?? 0), 0),
  );
  const star = units_submitted < units_expected ? '*' : '';
  return ['Reports that are in', ...cells(columns), `${units_submitted} of ${units_expected}${star}`].join(' ');
}

/** The lines of figures on a unit's own sheet. */
export function unitLines(unit: Unit): string[] {
  const count = (label: string, field: string) => `${label} ${figure(unit.counts[field])}`;
  const isNewborn = unit.population === 'newborn';
  return [
    `Opening ${figure(unit.opening)}`,
    count('Admissions', 'admissions'),
    ...(isNewborn ? [count('Births', 'births')] : []),
    count('Transfers in', 'transfers_in'),
    count('Discharges', 'discharges'),
    count('Deaths', 'deaths'),
    count('Deaths under 48 h', 'deaths_u48'),
    count('Transfers out', 'transfers_out'),
    count('Admitted and discharged same day', 'ad_same_day'),
    count('On leave', 'on_leave'),
    count('Observation patients', 'observation'),
    count('Head count', 'counted'),
    `Closing ${figure(unit.closing)}`,
    `Present ${figure(unit.present)}`,
    `Inpatient service days ${figure(unit.service_days)}`,
    `${isNewborn ? 'Staffed bassinets' : 'Staffed beds'} ${figure(unit.beds.staffed)}`,
    `Blocked ${figure(unit.beds.blocked)}`,
  ];
}

const ADULTS = [
  'admissions',
  'transfers_in',
  'discharges',
  'deaths',
  'transfers_out',
  'census_days',
  'ad_same_day',
  'service_days',
];

/** The figures of one line of the compilation; over several days a census is not added. */
export function compiled({ adult_and_child, newborn }: PrintedMonth['total'], isSum = false): string {
  const cells = (sums: Sums, fields: readonly string[]) =>
    fields
      .filter((field) => !(isSum && field === 'census_days'))
      .map((field) => figure(sums['units_reported'] === 0 ? null : sums[field]));
  const [reported, expected] = ['units_reported', 'units_expected'].map(
    (field) => (adult_and_child[field] ?? 0) + (newborn[field] ?? 0),
  );
  return [
    ...cells(adult_and_child, ADULTS),
    ...cells(newborn, ['births', ...ADULTS]),
    `${figure(reported)} of ${figure(expected)}`,
  ].join(' ');
}
