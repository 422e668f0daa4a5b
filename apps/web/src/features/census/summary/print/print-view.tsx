import { serverNow } from '@wardline/client/server-clock.ts';
import './census-sheets.css';
import { getUser } from '@wardline/contract/account/auth.ts';
import { notePrint } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import { stepOf, useFacilityDay, useSignedDay, useSummary } from '#/features/census/core/changes/summary-queries.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatPeriod, type Period } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { Printed } from '#/shared/sheet/printed.tsx';
import { CompilationSheet } from './compilation-sheet.tsx';
import { DaySheet } from './day-sheet.tsx';
import { DohSheet } from './doh-sheet.tsx';
import { PRINT_TITLES, type PrintKind } from './print-kinds.ts';
import type { SheetContext } from './sheet-context.ts';
import { toPrintedDay } from './signed-part.tsx';
import { UnitSheets } from './unit-sheets.tsx';

interface PrintViewProps {
  readonly facility: Facility;
  readonly period: Period;
  readonly newest: string;
  readonly print: PrintKind;
  readonly onClose: () => void;
}

/** A sheet as it comes out of the printer, on the page; only the sheet is printed. */
export function PrintView({ facility, period, newest, print, onClose }: PrintViewProps) {
  const call = useCall();
  const [at] = useState(() => new Date(serverNow()));
  const user = useQuery({ queryKey: ['user-who-prints'], queryFn: ({ signal }) => call(getUser, { signal }) });
  const { from, to } = period;
  return (
    <Printed
      back="Back to the summary"
      onClose={onClose}
      title={`${PRINT_TITLES[print]}, ${formatPeriod(period)}`}
      onPrint={() => call(notePrint, { params: { facility: facility.id }, body: { sheet: print, from, to } })}
    >
      <Panel query={user} what="your name">
        {({ name }) => {
          const context = { facility, period, by: name, at };
          return print === 'units' || print === 'day' ? (
            <DaySheets context={context} print={print} />
          ) : (
            <PeriodSheets context={context} print={print} newest={newest} />
          );
        }}
      </Panel>
    </Printed>
  );
}

function DaySheets({ context, print }: { context: SheetContext; print: 'units' | 'day' }) {
  const day = useFacilityDay(context.facility.id, context.period.from);
  const signed = useSignedDay(context.facility.id, context.period.from);
  return (
    <Panel query={day} what="the day">
      {(now) => (
        <Panel query={signed} what="what was signed">
          {(then) => {
            const printed = toPrintedDay(now, then);
            return print === 'units' ? (
              <UnitSheets context={context} {...printed} />
            ) : (
              <DaySheet context={context} {...printed} />
            );
          }}
        </Panel>
      )}
    </Panel>
  );
}

/** Longer than this a row a day fills pages nobody reads: a row a month then. */
const MOST_ROWS = 93;

function PeriodSheets({ context, print, newest }: { context: SheetContext; print: 'month' | 'doh'; newest: string }) {
  const { facility, period } = context;
  const days = (Date.parse(period.to) - Date.parse(period.from)) / 86_400_000 + 1;
  const by = days > MOST_ROWS ? 'month' : stepOf(period);
  const summary = useSummary(facility.id, period, by);
  const last = useFacilityDay(facility.id, period.to < newest ? period.to : newest);
  return (
    <Panel query={summary} what="the sums">
      {(sums) => (
        <Panel query={last} what="the last day">
          {({ log_head: head, census_date: date }) => {
            const shared = { context, summary: sums, logHead: head === null ? null : { date, head } };
            return print === 'month' ? (
              <CompilationSheet {...shared} by={by} newest={newest} />
            ) : (
              <DohSheet {...shared} />
            );
          }}
        </Panel>
      )}
    </Panel>
  );
}
