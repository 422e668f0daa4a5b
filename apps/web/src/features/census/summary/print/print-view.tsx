import { serverNow } from '@wardline/client/server-clock.ts';
import './print.css';
import { getUser } from '@wardline/contract/auth.ts';
import { notePrint } from '@wardline/contract/census-logs.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ArrowLeft, Printer } from 'lucide-react';
import { useState } from 'react';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatPeriod, type Period } from '#/features/census/core/period.ts';
import { stepOf, useFacilityDay, useSignedDay, useSummary } from '#/features/census/core/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { CompilationSheet } from './compilation-sheet.tsx';
import { DaySheet } from './day-sheet.tsx';
import { DohSheet } from './doh-sheet.tsx';
import { PRINT_TITLES, type PrintKind } from './print-kinds.ts';
import type { SheetContext } from './sheet.tsx';
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
  const putOnPaper = () => {
    // The log should say so; a sheet that is needed now does not wait for it.
    const { from, to } = period;
    call(notePrint, { params: { facility: facility.id }, body: { sheet: print, from, to } }).catch(() => undefined);
    window.print();
  };
  return (
    <div className="prn">
      <div className="prn-tools row wrap">
        <Button variant="outline" color="neutral" icon={ArrowLeft} onClick={onClose}>
          Back to the summary
        </Button>
        <span className="muted t13">
          {PRINT_TITLES[print]}, {formatPeriod(period)}. Fits A4 and Letter.
        </span>
        <Button className="push" icon={Printer} onClick={putOnPaper}>
          Print or save as PDF
        </Button>
      </div>
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
    </div>
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
