import './styles/chart.css';
import { shortMonth, weekdayIndex } from '@wardline/format/dates.ts';
import { weekdayNames } from '@wardline/format/periods.ts';
import type { LucideIcon } from 'lucide-react';
import { GridTable } from '#/chart/grid-table.tsx';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';
import { useGridKeys } from '#/table/use-grid-keys.ts';

export type CalendarState = 'done' | 'in' | 'soon' | 'late' | 'missing' | 'estimate' | 'open' | 'none';

export type CalendarDay = {
  /** YYYY-MM-DD. */
  date: string;
  state: CalendarState;
  glyph: LucideIcon;
  /** The state in a word; a colour alone says nothing. */
  word: string;
};

export type MonthCalendarProps = {
  label?: string | undefined;
  /** Days that follow one another, of one month or of several. */
  days: readonly CalendarDay[];
  /** A day as the facility writes it: 'Thu 19 Nov'. */
  dayName: (day: string) => string;
  onOpen?: ((day: CalendarDay) => void) | undefined;
};

/** Weeks from Monday on, each day with the colour, glyph and word of its state. */
export function MonthCalendar({ label = 'Calendar', days, dayName, onOpen }: MonthCalendarProps) {
  const weeks = weeksOf(days);
  const lastWeek = weeks[weeks.length - 1];
  const start = { row: weeks.length - 1, column: Math.max(0, lastWeek?.findLastIndex((day) => day !== null) ?? 0) };
  const grid = useGridKeys({ rows: weeks.length, columns: 7, goesOn: true }, start, ({ row, column }) => {
    const day = weeks[row]?.[column];
    if (day) onOpen?.(day);
  });
  return (
    <div className="cal-wrap">
      <GridTable grid={grid} label={label} look="cal" isOpening={onOpen !== undefined}>
        <thead>
          <tr>
            {weekdayNames().map(({ short, long }) => (
              <th key={long} scope="col">
                <span aria-hidden="true">{short}</span>
                <span className="sr">{long}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, row) => (
            <tr key={week.find((day) => day !== null)?.date}>
              {week.map((day, column) =>
                day === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a day that is not of the range is only its place
                  <td key={column} />
                ) : (
                  <Day
                    key={day.date}
                    day={day}
                    name={dayName(day.date)}
                    place={`${row}:${column}`}
                    hasMonth={day === days[0] || day.date.endsWith('-01')}
                    isStop={grid.at.row === row && grid.at.column === column}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </GridTable>
      <Legend days={days} />
    </div>
  );
}

type DayProps = { day: CalendarDay; name: string; place: string; hasMonth: boolean; isStop: boolean };

function Day({ day, name, place, hasMonth, isStop }: DayProps) {
  return (
    <td
      data-cell={place}
      tabIndex={isStop ? 0 : -1}
      className={classNames('cal-day', `is-${day.state}`, day.state === 'estimate' && 'hatch')}
    >
      <span className="sr">{`${name}: ${day.word}`}</span>
      <span className="cal-number" aria-hidden="true">
        {Number(day.date.slice(8))}
        {hasMonth && <span className="cal-month"> {shortMonth(day.date)}</span>}
      </span>
      <span className="cal-state" aria-hidden="true">
        <Icon of={day.glyph} size="sm" />
        <span className="cal-word">{day.word}</span>
      </span>
    </td>
  );
}

function Legend({ days }: { days: readonly CalendarDay[] }) {
  const states = [...new Map(days.map((day) => [day.word, day])).values()];
  return (
    <ul className="cal-legend" aria-hidden="true">
      {states.map(({ word, glyph, state }) => (
        <li key={word} className={`is-${state}`}>
          <Icon of={glyph} size="sm" />
          {word}
        </li>
      ))}
    </ul>
  );
}

function weeksOf(days: readonly CalendarDay[]): (CalendarDay | null)[][] {
  const first = days[0];
  if (!first) return [];
  const places: (CalendarDay | null)[] = [...Array.from({ length: weekdayIndex(first.date) }, () => null), ...days];
  while (places.length % 7 > 0) places.push(null);
  return Array.from({ length: places.length / 7 }, (_, week) => places.slice(7 * week, 7 * week + 7));
}
