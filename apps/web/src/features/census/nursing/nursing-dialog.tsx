import './nursing.css';
import { addDays } from '@wardline/census/calendar.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { BedDouble } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { counted } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { fromTabs } from '#/features/census/core/period/from-tabs.ts';
import { formatPeriod, type Period, periodAround } from '#/features/census/core/period/period.ts';
import { PeriodSteps } from '#/features/census/core/period/period-bar.tsx';
import { HoursLine } from './hours-line.tsx';
import { HOURS_FIELDS } from './hours-row.ts';
import type { HoursText } from './own-rows.ts';
import { type HoursRows, useHoursRows } from './use-hours-rows.ts';

interface NursingDialogProps {
  readonly facility: Facility;
  /** The newest census date. */
  readonly newest: string;
  readonly onClose: () => void;
}

/** What nurses worked in each unit in a month: a line a unit, saved one by one. */
export function NursingDialog({ facility, newest, onClose }: NursingDialogProps) {
  const last = lastWholeMonth(newest);
  const [period, setPeriod] = useState<Period>(last);
  const hours = useHoursRows(facility.id, period.from.slice(0, 7));
  const [leaving, setLeaving] = useState<{ readonly count: number; readonly go: () => void } | null>(null);
  /** Nothing that was typed is lost unless somebody says so. */
  const leave = async (go: () => void) => {
    const count = await hours.saveAll();
    if (count > 0) return setLeaving({ count, go });
    setLeaving(null);
    go();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && void leave(onClose)}
      closesOutside={false}
      size="lg"
      title="Nursing hours"
      description="Productive hours of direct care in a month. They are divided by the patient days of the month’s reports."
      footer={<Button onClick={() => void leave(onClose)}>Close</Button>}
    >
      <div className="stack stack-3">
        <PeriodSteps
          period={period}
          newest={last.to}
          onChange={(next) => void leave(() => setPeriod({ ...next, kind: 'month' }))}
        />
        {leaving && (
          <Banner
            tone="warning"
            title={`${counted(leaving.count, 'unit is', 'units are')} not saved.`}
            action={
              <Button
                variant="outline"
                color="neutral"
                size="sm"
                onClick={() => {
                  setLeaving(null);
                  leaving.go();
                }}
              >
                Leave without saving
              </Button>
            }
          />
        )}
        <Panel query={hours.query} what="the nursing hours">
          {(data) =>
            data.units.length === 0 ? (
              <EmptyState icon={BedDouble} title="None of your units had inpatients">
                {`No unit with beds of its own reported in ${formatPeriod(period)}.`}
              </EmptyState>
            ) : (
              <HoursList key={data.month} hours={hours} />
            )
          }
        </Panel>
      </div>
    </Dialog>
  );
}

function HoursList({ hours }: { hours: HoursRows }) {
  const list = useRef<HTMLUListElement>(null);
  const [said, setSaid] = useState('');
  const focus = (row: number, column: number) => {
    const input = list.current?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`);
    input?.focus();
    input?.select();
    return input !== null && input !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = placeOf(event.target);
    const step = STEPS[event.key] && !event.nativeEvent.isComposing ? STEPS[event.key] : undefined;
    if (!at || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const isBack = event.shiftKey && event.key === 'Enter';
    // The last line has none below it: it is saved where it is.
    const unit = hours.rows[at.row]?.month;
    if (!focus(at.row + (isBack ? -1 : step), at.column) && unit) void hours.save(unit.unit_id);
  };
  const onPaste = (event: ClipboardEvent) => {
    const at = placeOf(event.target);
    const cells = fromTabs(event.clipboardData.getData('text/plain'));
    if (!at || (cells.length === 1 && cells[0]?.length === 1)) return;
    event.preventDefault();
    const { texts, lost } = pastedInto(hours.rows, at, cells);
    hours.type(texts);
    setSaid(lost === 0 ? '' : `${counted(lost, 'cell')} skipped: outside the list.`);
    for (const unitId of new Set(texts.map((text) => text.unitId))) void hours.save(unitId);
  };
  return (
    <>
      <div className="nh-head t12 muted" aria-hidden="true">
        <span className="nh-unit">Unit</span>
        <span>RN hours</span>
        <span>Other hours</span>
        <span className="nh-rates">Per patient day</span>
      </div>
      <ul ref={list} onKeyDown={onKeyDown} onPaste={onPaste}>
        {hours.rows.map((row, place) => (
          <HoursLine key={row.month.unit_id} row={row} place={place} hours={hours} />
        ))}
      </ul>
      <p className="t12 muted">
        Other hours are those of practical nurses and aides. Leave empty what is not known; 0 is none. A month counts
        once all its reports are in. A column of a spreadsheet can be pasted.
      </p>
      <p className="t13" role="status">
        {said}
      </p>
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

interface Place {
  readonly row: number;
  readonly column: number;
}

function placeOf(target: EventTarget): Place | null {
  if (!(target instanceof HTMLInputElement) || target.dataset['row'] === undefined) return null;
  return { row: Number(target.dataset['row']), column: Number(target.dataset['column']) };
}

/** What of a block goes into which field, from the one on where it was pasted. */
function pastedInto(rows: HoursRows['rows'], at: Place, cells: readonly (readonly string[])[]) {
  const all = cells.flatMap((line, row) =>
    line.map((text, column) => ({
      unitId: rows[at.row + row]?.month.unit_id,
      field: HOURS_FIELDS[at.column + column],
      text,
    })),
  );
  const texts = all.flatMap(({ unitId, field, text }): HoursText[] =>
    unitId === undefined || field === undefined ? [] : [{ unitId, field, text }],
  );
  return { texts, lost: all.length - texts.length };
}

/** The newest month that has been counted to its end. */
export function lastWholeMonth(newest: string): Period {
  return periodAround('month', addDays(`${addDays(newest, 1).slice(0, 7)}-01`, -1));
}
