import type { RuleCode } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { classNames } from '@wardline/ui/class-names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Check, Clock, CloudUpload, GitCompareArrows, OctagonAlert } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { UnusualDialog } from '#/features/census/core/unusual-dialog.tsx';
import { isReasonOfOtherNumbers } from '#/features/census/report/engine/report-draft.ts';
import { answerKey, type UnusualTyped, unusualIn } from '#/features/census/report/engine/unusual.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { cellError } from './grid-access.ts';
import { columnsOf, type GridColumn, lockedBecause, textAt } from './grid-columns.ts';
import { type ReadRow, readRow } from './grid-entry.ts';
import { isInside } from './grid-range.ts';
import { type GridRow, isDirty } from './grid-state.ts';
import type { Grid } from './use-census-grid.ts';
import type { GridHands } from './use-grid-interactions.ts';

interface GridRowProps {
  readonly row: GridRow;
  readonly index: number;
  readonly grid: Grid;
  readonly hands: GridHands;
  /** Who reports for the unit, where it is not mine. */
  readonly reporters?: readonly string[] | undefined;
}

/** One unit's report as a row. */
export function GridRowView({ row, index, grid, hands, reporters }: GridRowProps) {
  const read = readRow(row.day, row.draft);
  const { day } = row;
  const unusual = day.may.edit ? unusualIn(row.draft, day) : [];
  return (
    <tr>
      <th scope="row">
        <Link
          href={reportPath({ unit: day.unit_id, date: day.census_date, population: day.population })}
          title={day.unit_name}
        >
          {day.unit_code}
        </Link>
        {day.population === 'newborn' && <span className="t12 muted"> newborn</span>}
      </th>
      {columnsOf(grid.state.rows).map((column, place) => (
        <GridCell key={column.key} {...{ row, index, grid, hands, read, unusual, column, place }} />
      ))}
      <td className="cgrid-state">
        <RowState {...{ row, read, grid, reporters }} />
      </td>
    </tr>
  );
}

interface GridCellProps extends GridRowProps {
  readonly read: ReadRow;
  readonly unusual: readonly UnusualTyped[];
  readonly column: GridColumn;
  readonly place: number;
}

function GridCell({ row, index, grid, hands, read, unusual, column, place }: GridCellProps) {
  const at = { row: index, column: place };
  const isFocus = hands.range.focus.row === index && hands.range.focus.column === place;
  const isTyping = hands.typing?.place.row === index && hands.typing.place.column === place;
  const error = cellError(grid.state.rows, at);
  const strange = unusual.find(({ field }) => field === column.key);
  const isLocked = lockedBecause(row, column) !== null;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell
    <td
      data-cell={`${index}:${place}`}
      tabIndex={isFocus ? 0 : -1}
      aria-selected={isInside(hands.range, at)}
      aria-readonly={isLocked}
      {...(error === '' ? { title: strange?.text } : { 'aria-invalid': true, title: error })}
      className={classNames(
        column.isText ? 'is-words' : 'n',
        isLocked && 'is-locked',
        error !== '' && 'is-wrong',
        strange && 'is-unusual',
        cellState(row, column),
      )}
    >
      {isTyping ? (
        <input
          // biome-ignore lint/a11y/noAutofocus: somebody has just begun to type in this cell
          autoFocus
          aria-label={`${row.day.unit_code}, ${column.head}`}
          inputMode={column.isText ? 'text' : 'numeric'}
          maxLength={column.isText ? 500 : 12}
          autoComplete="off"
          value={hands.typing?.text ?? ''}
          onChange={({ target }) => hands.type(target.value)}
          onKeyDown={(event) => onTypingKey(event, hands)}
          onBlur={() => hands.commit(null)}
        />
      ) : (
        <>
          {textAt(row, read, column)}
          {error !== '' && <span className="sr">, {error}</span>}
          {strange && <span className="sr">, {strange.text}</span>}
        </>
      )}
    </td>
  );
}

function onTypingKey(event: KeyboardEvent, hands: GridHands): void {
  if (event.nativeEvent.isComposing) return;
  const { key, shiftKey } = event;
  if (key === 'Enter') hands.commit(shiftKey ? 'up' : 'down');
  else if (key === 'Tab') hands.commit(shiftKey ? 'left' : 'right');
  else if (key === 'ArrowUp') hands.commit('up');
  else if (key === 'ArrowDown') hands.commit('down');
  else if (key === 'Escape') hands.cancel();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function cellState({ typed, save }: GridRow, { key }: GridColumn): string | false {
  if (key === 'closing') return false;
  if (save.kind === 'conflict' && save.fields.includes(key)) return 'is-conflict';
  if (save.kind === 'refused' && save.errors[key] !== undefined) return 'is-refused';
  if (typed.includes(key)) return save.kind === 'saving' ? 'is-saving' : 'is-typed';
  return save.kind === 'saved' && save.fields.includes(key) && 'is-saved';
}

type RowStateProps = Pick<GridRowProps, 'row' | 'grid' | 'reporters'> & { readonly read: ReadRow };

function RowState({ row, read, grid, reporters }: RowStateProps) {
  const { key, day, save } = row;
  if (save.kind === 'conflict') {
    return (
      <>
        <span className="row row-1 c-warning nowrap">
          <Icon of={GitCompareArrows} size="sm" />
          Changed elsewhere
        </span>
        {save.theirs.may.edit && (
          <Button size="sm" variant="outline" color="neutral" onClick={() => grid.act(key, 'keep-mine')}>
            Keep mine
          </Button>
        )}
        <Button size="sm" variant="ghost" color="neutral" onClick={() => grid.act(key, 'take-theirs')}>
          Take theirs
        </Button>
      </>
    );
  }
  if (save.kind === 'refused') {
    return (
      <>
        <span className="row row-1 c-error">
          <Icon of={OctagonAlert} size="sm" />
          {save.message}
        </span>
        <Button size="sm" variant="outline" color="neutral" onClick={() => grid.act(key, 'retry')}>
          Retry
        </Button>
      </>
    );
  }
  if (save.kind === 'submitted') {
    return (
      <span className="row row-1 muted nowrap">
        <Icon of={Clock} size="sm" />
        Submitted on this device
      </span>
    );
  }
  if (!day.may.edit && !day.may.submit) {
    return (
      <>
        <span className="muted nowrap">{formatDone(day)}</span>
        {reporters && <span className="t12 muted cgrid-asks">{formatReadOnly(day, reporters)}</span>}
      </>
    );
  }
  return <SubmitRow row={row} read={read} grid={grid} />;
}

/** How far it is kept, and the button; what is unusual is asked once before it is handed in. */
function SubmitRow({ row, read, grid }: { row: GridRow; read: ReadRow; grid: Grid }) {
  const { key, day, save, draft } = row;
  const [asked, setAsked] = useState<readonly UnusualTyped[] | null>(null);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [first] = read.missing;
  const submit = (isConfirmed: boolean) => {
    const unusual = unusualIn(draft, day);
    const isNew = unusual.some((count) => !answered.has(answerKey(count)));
    if (isNew && !isConfirmed) return setAsked(unusual);
    setAsked(null);
    setAnswered(new Set([...answered, ...unusual.map(answerKey)]));
    grid.submit(
      key,
      unusual.map(({ field }) => field),
    );
  };
  return (
    <>
      {asked && (
        <UnusualDialog
          unit={day.unit_code}
          counts={asked}
          onConfirm={() => submit(true)}
          onClose={() => setAsked(null)}
        />
      )}
      <span className="row row-1 muted nowrap">
        <SaveStatus row={row} isReadable={read.isReadable} />
      </span>
      {isOnlyWordless(read) && <span className="t12 c-warning cgrid-asks">{first?.message}</span>}
      {isReasonOfOtherNumbers(draft, day) && (
        <Button size="sm" variant="outline" color="neutral" onClick={() => grid.act(key, 'keep-reason')}>
          Keep this reason
        </Button>
      )}
      <Button
        size="sm"
        label={`Submit ${day.unit_code}`}
        isLoading={save.kind === 'saving'}
        disabled={read.missing.length > 0}
        title={first?.message}
        onClick={() => submit(false)}
      >
        Submit
      </Button>
    </>
  );
}

/** All is typed, and only words are missing: what asks for them may stand in a column that is out of view. */
function isOnlyWordless({ missing }: ReadRow): boolean {
  return missing.length > 0 && missing.every(({ code }) => WORDS_ASKED.has(code));
}

const WORDS_ASKED: ReadonlySet<RuleCode> = new Set(['VARIANCE_NEEDS_REASON', 'OVER_CAPACITY_NEEDS_REASON']);

function SaveStatus({ row, isReadable }: { row: GridRow; isReadable: boolean }) {
  if (row.save.kind === 'saving') {
    return (
      <>
        <Icon of={CloudUpload} size="sm" />
        Saving
      </>
    );
  }
  if (row.save.kind === 'waiting') {
    return (
      <>
        <Icon of={Clock} size="sm" />
        {isReadable ? 'Kept here, waiting for the network' : 'Kept here: a cell is wrong'}
      </>
    );
  }
  if (isDirty(row)) return isReadable ? 'Not saved yet' : 'Not saved: a cell is wrong';
  if (row.save.kind !== 'saved') return null;
  return (
    <>
      <Icon of={Check} size="sm" />
      Saved
    </>
  );
}

/** Who would have to be asked, where something is still to be reported. */
function formatReadOnly({ submitted_at }: UnitDay, names: readonly string[]): string {
  if (submitted_at !== null) return 'Read only';
  return `Read only: ${names.length > 0 ? names.join(', ') : 'no one reports for it yet'}`;
}

function formatDone({ status, submitted_at, time_zone }: UnitDay): string {
  if (status === 'draft') return 'Not in yet';
  const at = submitted_at === null ? '' : `, ${timeIn(time_zone, Date.parse(submitted_at))}`;
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}${at}`;
}
