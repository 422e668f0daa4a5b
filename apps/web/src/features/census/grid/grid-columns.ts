import { COUNT_FIELDS } from '@wardline/contract/census/census.ts';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { asksDischargeDays } from '#/features/census/report/engine/report-draft.ts';
import { cellText, fieldLabel, type GridField, type ReadRow, readOnlyBecause } from './grid-entry.ts';
import type { GridRow } from './grid-state.ts';

/** A column: a field that is typed, or the closing, which is computed. */
export interface GridColumn {
  readonly key: GridField | 'closing';
  readonly head: string;
  readonly isText: boolean;
}

const column = (key: GridField): GridColumn => ({ key, head: fieldLabel(key), isText: key.endsWith('_reason') });

/** In the order of the ward sheet; the closing stands beside the head count that checks it. */
const GRID_COLUMNS: readonly GridColumn[] = [
  column('seed'),
  ...COUNT_FIELDS.map(column),
  { key: 'closing', head: 'Closing', isText: false },
  column('variance_reason'),
  column('capacity_reason'),
];

const WITHOUT_STAYS = GRID_COLUMNS.filter(({ key }) => key !== 'discharge_days');

/** The columns of these rows; discharge days where one of them is asked for them. */
export function columnsOf(rows: readonly Pick<GridRow, 'day'>[]): readonly GridColumn[] {
  return rows.some(({ day }) => asksDischargeDays(day)) ? GRID_COLUMNS : WITHOUT_STAYS;
}

/** What stands in a cell. */
export function textAt(
  { day, draft }: Pick<GridRow, 'day' | 'draft'>,
  { closing }: ReadRow,
  { key }: GridColumn,
): string {
  if (key !== 'closing') return cellText(day, draft, key);
  return closing === null ? '' : formatCount(closing);
}

/** Why a cell cannot be typed in; null where it can. */
export function lockedBecause({ day, save }: Pick<GridRow, 'day' | 'save'>, { key }: GridColumn): string | null {
  if (save.kind === 'submitted') return 'This report is submitted and waiting for the network.';
  return key === 'closing' ? 'The closing is computed.' : readOnlyBecause(day, key);
}
