import { parseCount } from '@wardline/census/balance.ts';
import { addDays } from '@wardline/census/calendar.ts';
import { isOverCapacity, labelOf } from '@wardline/census/rules.ts';
import type { CountField } from '@wardline/contract/census/census.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { formatRoundedDifference } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { summaryDayPath } from '#/features/census/core/period/period.ts';
import { arithmetic, formatDate, sumOf } from '#/features/census/core/report-labels.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { CountRow, SheetRow } from './count-row.tsx';
import {
  asksDischargeDays,
  countsOf,
  isReasonOfOtherNumbers,
  openingOf,
  toReportInput,
  type WordField,
  withReasonKept,
} from './engine/report-draft.ts';
import { formatWrite, inputId, useReport } from './engine/report-view.ts';
import { SHEET_FIELDS, SHEET_LINES, type SheetField } from './engine/sheet-lines.ts';
import { TransferRow } from './transfer-row.tsx';

/** The fields in the order of a ward sheet, with the closing as it comes about. */
export function ReportSheet() {
  return (
    <Card className="sheet-card">
      {SHEET_FIELDS.map((field) => {
        const Line = LINES[field];
        return Line ? <Line key={field} /> : <CountLine key={field} field={field as CountField} />;
      })}
      <Reasons />
    </Card>
  );
}

/** Lines that are more than a count. */
const LINES: Readonly<Partial<Record<SheetField, () => ReactNode>>> = {
  opening: Opening,
  births: Births,
  transfers_in: () => <TransferRow direction="in" />,
  discharge_days: DischargeDays,
  transfers_out: () => <TransferRow direction="out" />,
  closing: Closing,
  counted: HeadCount,
};

interface CountLineProps extends Pick<ComponentProps<typeof CountRow>, 'hint' | 'isOff'> {
  readonly field: CountField;
}

function CountLine({ field, ...more }: CountLineProps) {
  return <CountRow label={labelOf(field)} {...SHEET_LINES[field]} {...more} field={field} />;
}

function Births() {
  const isNewborn = useReport().state.day.population === 'newborn';
  return <CountLine field="births" hint={isNewborn ? 'born here' : 'newborn reports only'} isOff={!isNewborn} />;
}

/** Stays of those who left, where the facility asks for them or the patient system tells them. */
function DischargeDays() {
  const { state } = useReport();
  const { day, draft } = state;
  if (!asksDischargeDays(day) && draft.numbers.discharge_days === '') return null;
  const told = day.feed?.discharge_days ?? null;
  return (
    <CountLine
      field="discharge_days"
      hint={`days stayed by those discharged or died, added; same day is 1${told === null ? '' : ` · patient system: ${told}`}`}
    />
  );
}

/** With the name of whoever counted, where that was somebody else. */
function HeadCount() {
  const { day, draft } = useReport().state;
  const me = useDevice().store.userId;
  const isTheirs =
    day.counted_by && day.counted_by.id !== me && parseCount(draft.numbers.counted) === day.counts.counted;
  const author = isTheirs ? ` · entered by ${day.counted_by?.name}` : '';
  return <CountLine field="counted" hint={`${SHEET_LINES.counted.hint}${author}`} />;
}

function Opening() {
  const { state, errorOf } = useReport();
  const { day } = state;
  const from = day.opening_from;
  if (from === null) {
    return (
      <CountRow field="seed" label="Opening" hint="the first report of this unit: patients in the unit before it" />
    );
  }
  const isGap = from !== addDays(day.census_date, -1);
  const date = formatDate(from, day.time_zone);
  return (
    <SheetRow
      field="opening"
      label="Opening"
      error={errorOf('opening')}
      hint={
        <>
          closing of {date}
          {isGap && ', the last known'}
          {day.conditions.includes('restated') && ', restated'} · <Correcting day={day} from={from} date={date} />
        </>
      }
    >
      <output className="sheet-told num" id={inputId('opening')}>
        {day.opening}
      </output>
    </SheetRow>
  );
}

/** Where the person corrects the earlier day by their rights, or whom they ask. */
function Correcting({ day, from, date }: { day: UnitDay; from: string; date: string }) {
  const { way, people } = day.opening_correction ?? { way: 'report', people: [] };
  if (way === 'day') {
    return (
      <Link className="sheet-link" href={summaryDayPath(from, day.facility_id)}>
        Reopen {date} to correct it
      </Link>
    );
  }
  const report = reportPath({ unit: day.unit_id, date: from, population: day.population });
  if (way === 'report') {
    return (
      <Link className="sheet-link" href={report}>
        Correct {date}
      </Link>
    );
  }
  const names = people.map(({ name }) => name).join(' or ');
  return (
    <>
      <Link className="sheet-link" href={report}>
        See {date}
      </Link>
      {names === '' ? '; no one can correct it yet, ask an administrator' : `; to correct it, ask ${names}`}
    </>
  );
}

function Closing() {
  const { state, errorOf } = useReport();
  const sum = sumOf(openingOf(state.draft, state.day), countsOf(state.draft));
  return (
    <div className="sheet-total">
      <SheetRow field="closing" label="Closing" sign={undefined} hint={arithmetic(sum)} error={errorOf('closing')}>
        <output className="sheet-told num" id={inputId('closing')}>
          {formatCount(sum.closing)}
        </output>
      </SheetRow>
    </div>
  );
}

/** Sentences that the numbers ask for, and only then. */
function Reasons() {
  const { state } = useReport();
  const { draft, day } = state;
  const input = toReportInput(draft, day);
  const { closing } = sumOf(input.opening, input.counts);
  const { on_leave, counted } = input.counts;
  if (closing === null || on_leave === null) return null;
  const present = closing - on_leave;
  const isOver = isOverCapacity(present, input.beds);
  const isVarying = counted !== null && counted !== present;
  if (!isOver && !isVarying) return null;
  return (
    <div className="sheet-reasons stack stack-3">
      {isVarying && (
        <>
          <ReasonField
            field="variance_reason"
            label="Why does the head count differ?"
            help={`${counted} counted, ${formatCount(present)} computed. Correct a number, or say why.`}
            isOfOtherNumbers={isReasonOfOtherNumbers(draft, day)}
          />
          <StandingReason />
        </>
      )}
      {isOver && (
        <ReasonField
          field="capacity_reason"
          label="Where are the patients over capacity?"
          help={`${present} patients and ${input.beds.blocked} blocked are more than ${input.beds.physical} beds.`}
        />
      )}
    </div>
  );
}

/** Whose reason stands there, and what it was given for where that is not what differs now: it stays by a press alone. */
function StandingReason() {
  const { state, editor, isEditable } = useReport();
  const { draft, day } = state;
  const me = useDevice().store.userId;
  const isTheirs = draft.text.variance_reason.trim() === (day.variance_reason ?? '').trim();
  const author = isTheirs && day.variance_by && day.variance_by.id !== me ? day.variance_by.name : null;
  if (draft.text.variance_reason.trim() === '') return null;
  if (!isReasonOfOtherNumbers(draft, day)) return author && <p className="t12 muted">Reason by {author}</p>;
  const given = formatRoundedDifference(draft.varianceFor, 0);
  return (
    <Banner
      tone="warning"
      announce="none"
      action={
        isEditable && (
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            onClick={() => editor.change((before) => withReasonKept(before, day))}
          >
            Keep this reason
          </Button>
        )
      }
    >
      Reason for a difference of {given}
      {author && `, by ${author}`}: “{draft.text.variance_reason.trim()}”
    </Banner>
  );
}

interface ReasonFieldProps {
  readonly field: WordField;
  readonly label: string;
  readonly help: string;
  /** What stands there is of other numbers: the field is empty, and it is offered beside it. */
  readonly isOfOtherNumbers?: boolean;
}

function ReasonField({ field, label, help, isOfOtherNumbers = false }: ReasonFieldProps) {
  const { state, editor, isEditable, errorOf, leave } = useReport();
  return (
    <Textarea
      id={inputId(field)}
      label={label}
      help={help}
      error={errorOf(field)}
      rows={2}
      maxLength={500}
      value={isOfOtherNumbers ? '' : state.draft.text[field]}
      readOnly={!isEditable}
      data-step=""
      onChange={(event) => editor.change(formatWrite(field, event.target.value))}
      onBlur={() => leave(field)}
    />
  );
}
