import type { OwedReport } from '@wardline/contract/census-unit.ts';
import * as z from 'zod/mini';
import { invalidField } from '#/platform/http/app-error.ts';

const OwedPlace = z.tuple([z.int(), z.string(), z.string(), z.string(), z.string()]);
/** Where a report stands in the list: its rank, its date, and what keeps reports of one date apart. */
type OwedPlace = z.infer<typeof OwedPlace>;

type Placed = Pick<
  OwedReport,
  'status' | 'conditions' | 'census_date' | 'unit_code' | 'unit_id' | 'class' | 'census_at'
>;

export function placeOf(report: Placed): OwedPlace {
  return [rankOf(report), report.census_date, report.unit_code, report.unit_id, report.class];
}

/** What somebody gave back comes first, then what is open for a correction, what is overdue, and what is due. */
function rankOf({ status, conditions }: Placed): number {
  if (status === 'returned') return 0;
  if (status === 'amending') return 1;
  return conditions.includes('late') || conditions.includes('missing') ? 2 : 3;
}

/** Less than 0 where `a` is the more urgent; of the same rank the newer date is. */
export function compareOwed(a: OwedPlace, b: OwedPlace): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] < b[1] ? 1 : -1;
  for (const part of [2, 3, 4] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  return 0;
}

export function encodeOwedCursor(place: OwedPlace): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

export function decodeOwedCursor(cursor: string): OwedPlace {
  const found = OwedPlace.safeParse(parsed(Buffer.from(cursor, 'base64url').toString()));
  if (!found.success) throw invalidField('cursor', 'This is not a cursor of this list.');
  return found.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
