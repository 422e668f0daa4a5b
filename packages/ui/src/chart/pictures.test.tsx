// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { formatDay } from '@wardline/format/dates.ts';
import { Check, Lock } from 'lucide-react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ControlChart } from '#/chart/control-chart.tsx';
import { type Measurement, MeasurementChart } from '#/chart/measurement-chart.tsx';
import { MonthCalendar } from '#/chart/month-calendar.tsx';
import { OccupancyBar } from '#/chart/occupancy-bar.tsx';
import { TransferMatrix } from '#/chart/transfer-matrix.tsx';
import { TrendChart } from '#/chart/trend-chart.tsx';
import { Waterfall, type WaterfallStep } from '#/chart/waterfall.tsx';

const dayName = (day: string) => formatDay(day, 'dmy', day);

afterEach(cleanup);

const step = (key: string, kind: WaterfallStep['kind'], value: number | null): WaterfallStep => ({
  key,
  label: key,
  kind,
  value,
});
const bars = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('.wf-bar')].map(({ style }) => [
    style.getPropertyValue('--from'),
    style.getPropertyValue('--size'),
  ]);

it('CEN-9 a waterfall stands each change on the level before it, in words too', () => {
  const { container } = render(
    <Waterfall
      unitLabel="patients"
      steps={[step('Opening', 'total', 20), step('In', 'in', 5), step('Out', 'out', 10), step('Closing', 'total', 15)]}
    />,
  );
  expect(bars(container)).toEqual([
    ['0%', '80%'],
    ['80%', '20%'],
    ['60%', '40%'],
    ['0%', '60%'],
  ]);
  expect(screen.getByRole('img', { name: 'Opening 20, In +5, Out −10, Closing 15 patients' })).toBeDefined();
});

it('CEN-9 a waterfall goes under zero rather than lie, and shows what is not given as a dash', () => {
  const { container } = render(
    <Waterfall
      unitLabel="patients"
      steps={[step('Opening', 'total', 3), step('Out', 'out', 4), step('In', 'in', null)]}
    />,
  );
  expect(bars(container)).toEqual([
    ['25%', '75%'],
    ['0%', '100%'],
    ['0%', '0%'],
  ]);
  expect(screen.getByText('–')).toBeDefined();
});

it('CEN-9 what a waterfall closes with under zero hangs below the line of nobody, which is not at the foot then', () => {
  const steps = [step('Opening', 'total', 3), step('Out', 'out', 4), step('Closing', 'total', -1)];
  const { container } = render(<Waterfall unitLabel="patients" steps={steps} />);
  const below = [...container.querySelectorAll('.wf-bar')].map(({ classList }) => classList.contains('is-below'));
  expect(below).toEqual([false, false, true]);
  expect(container.querySelector<HTMLElement>('.wf')?.style.getPropertyValue('--zero')).toBe('25%');
  expect(bars(container).at(-1)).toEqual(['0%', '25%']);
  expect(screen.getByRole('img', { name: 'Opening 3, Out −4, Closing −1 patients' })).toBeDefined();
});

it('CEN-5 the bed bar shares out the staffed beds, and shows whom they do not hold behind them', () => {
  const { container, rerender } = render(<OccupancyBar occupied={19} blocked={2} staffed={24} label="ONC" />);
  const parts = () =>
    [...container.querySelectorAll<HTMLElement>('.bedbar > span')].map(({ className, style }) => [
      className,
      Number(style.flexGrow),
    ]);
  expect(parts()).toEqual([
    ['occ', 19],
    ['blk', 2],
    ['free', 3],
  ]);
  rerender(<OccupancyBar occupied={27} blocked={2} staffed={24} label="ONC" />);
  expect(parts()).toEqual([
    ['occ', 24],
    ['over', 3],
  ]);
  rerender(<OccupancyBar occupied={null} blocked={0} staffed={10} label="ONC is missing" />);
  expect(screen.getByRole('img', { name: 'ONC is missing' }).className).toBe('bedbar is-missing');
});

it('CEN-9 a trend breaks where a day is missing, hatches it, and says by how much the beds changed', () => {
  const { container } = render(
    <TrendChart
      dayName={dayName}
      days={['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']}
      series={[
        { key: 'in', label: 'Occupied', kind: 'line', values: [90, 92, null, 91] },
        { key: 'beds', label: 'Staffed beds', kind: 'step', values: [112, 112, 108, 108] },
      ]}
      missing={[false, false, true, false]}
      format={String}
    />,
  );
  const line = container.querySelector('.ln-line')?.getAttribute('d') ?? '';
  expect(line.match(/M/g)).toHaveLength(2);
  expect(container.querySelectorAll('svg > rect')).toHaveLength(1);
  expect(screen.getByText('−4, Wed 18 Nov')).toBeDefined();
  expect(
    screen.getByRole('img', { name: 'Trend from Mon 16 Nov to Thu 19 Nov: Occupied 91, Staffed beds 108' }),
  ).toBeDefined();
});

it('CEN-9 a control chart draws capacity apart from its limits and names the rule that a point breaks', () => {
  const { container } = render(
    <ControlChart
      points={[40, 41, 60].map((value, index) => ({ label: `Day ${index + 1}`, value }))}
      mean={42}
      upper={50}
      lower={34}
      capacity={55}
      signals={[{ index: 2, rule: 'beyond the upper limit' }]}
    />,
  );
  expect(screen.getByText('Capacity 55')).toBeDefined();
  expect(container.querySelectorAll('.ln-signal')).toHaveLength(1);
  expect(screen.getByRole('listitem').textContent).toBe('Day 3 beyond the upper limit');
});

it('CEN-9 numbers beside the lines stand whole, however long their words and with their signs', () => {
  const format = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
  const points = [-1200, 900].map((value) => ({ label: `${value}`, value }));
  const { container } = render(
    <ControlChart points={points} mean={0} upper={1000} lower={-1000} signals={[]} format={format} />,
  );
  const numbers = [...container.querySelectorAll('.ln-axis[text-anchor="end"]')];
  expect(numbers.map((number) => number.textContent)).toContain('−1500.00');
  // A digit is up to 7 pixels wide.
  for (const number of numbers) {
    expect(Number(number.getAttribute('x'))).toBeGreaterThan(7 * (number.textContent?.length ?? 0));
  }
});

it('CEN-5 the calendar tells each day with its state in a word, and opens it by key', () => {
  const onOpen = vi.fn();
  render(
    <MonthCalendar
      dayName={dayName}
      label="Reports of ICU"
      days={[
        { date: '2026-11-14', state: 'done', glyph: Lock, word: 'Locked' },
        { date: '2026-11-15', state: 'in', glyph: Check, word: 'Submitted' },
        { date: '2026-11-16', state: 'in', glyph: Check, word: 'Submitted' },
      ]}
      onOpen={({ date }) => onOpen(date)}
    />,
  );
  const monday = screen.getByRole('cell', { name: 'Mon 16 Nov: Submitted' });
  expect(monday.tabIndex).toBe(0);
  monday.focus();
  fireEvent.keyDown(monday, { key: 'ArrowUp' });
  // Monday the 9th is not of the range, so there is nowhere to go.
  expect(document.activeElement).toBe(monday);
  // The day before a Monday is in the week above.
  fireEvent.keyDown(monday, { key: 'ArrowLeft' });
  expect(document.activeElement?.textContent).toContain('Sun 15 Nov: Submitted');
  fireEvent.keyDown(document.activeElement ?? monday, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(monday);
  fireEvent.keyDown(monday, { key: 'Home', ctrlKey: true });
  expect(document.activeElement?.textContent).toContain('Sat 14 Nov: Locked');
  fireEvent.keyDown(document.activeElement ?? monday, { key: 'Enter' });
  expect(onOpen.mock.calls).toEqual([['2026-11-14']]);
});

it.each([
  ['falls', 108, 92, 'before'],
  ['rises', 92, 108, 'after'],
])(
  'CEN-9 the words of a step that %s near the end of the line stand over its higher side, clear of the step',
  (_way, before, after, higher) => {
    const days = Array.from({ length: 28 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);
    const values = days.map((_, index) => (index < 25 ? before : after));
    const { container } = render(
      <TrendChart
        dayName={dayName}
        days={days}
        missing={days.map(() => false)}
        series={[{ key: 'beds', label: 'Staffed beds', kind: 'step', values }]}
        format={String}
      />,
    );
    const text = [...container.querySelectorAll('.ln-axis')].find(({ textContent }) =>
      textContent?.endsWith(', Thu 26 Nov'),
    );
    const path = container.querySelector('.ln-step')?.getAttribute('d') ?? '';
    const [, first, last] = /^M\S+ ([\d.]+)H.*V([\d.]+)H/.exec(path) ?? [];
    expect(Number(text?.getAttribute('y'))).toBeCloseTo(Number(higher === 'before' ? first : last) - 8, 0);
  },
);

it('CEN-9 of two steps whose words would lie over each other the later is told', () => {
  const days = Array.from({ length: 28 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);
  const told = (first: number) => {
    const values = days.map((_, index) => (index < first ? 112 : index < 25 ? 108 : 92));
    const series = [{ key: 'beds', label: 'Staffed beds', kind: 'step' as const, values }];
    render(
      <TrendChart days={days} dayName={dayName} missing={days.map(() => false)} series={series} format={String} />,
    );
    const text = [...document.querySelectorAll('.ln-axis')].flatMap(({ textContent }) => textContent ?? []);
    cleanup();
    return text.filter((text) => text.startsWith('−'));
  };
  expect(told(10)).toEqual(['−4, Wed 11 Nov', '−16, Thu 26 Nov']);
  expect(told(22)).toEqual(['−16, Thu 26 Nov']);
});

it('CEN-9 the matrix rings what two sides count differently, hatches what one side says alone, and adds up both', () => {
  const units = ['MED', 'SUR', 'ICU'].map((label) => ({ id: label, label }));
  render(
    <TransferMatrix
      units={units}
      cells={[
        { from: 'MED', to: 'SUR', out: 3, in: 2, isMissing: false },
        { from: 'MED', to: 'ICU', out: 1, in: null, isMissing: true },
        { from: 'SUR', to: 'MED', out: 2, in: 2, isMissing: false },
      ]}
    />,
  );
  const cell = (name: string) => screen.getByRole('cell', { name });
  expect(cell('MED to SUR: sent 3, received 2, they disagree').className).toBe('mx-gap');
  expect(cell('MED to ICU: sent 1, received not said, one side has not reported').className).toBe('hatch');
  expect(cell('SUR to MED: sent 2, received 2').className).toBe('mx-some');
  expect([...document.querySelectorAll('td.mx-sum')].map(({ textContent }) => textContent)).toEqual([
    '4',
    '2',
    '0',
    '2',
    '2',
    '–',
  ]);
});

it('CEN-9 what a unit sent that has reported nothing is not known in the sums of the matrix, even where no cell asks', () => {
  const units = [
    { id: 'MED', label: 'MED' },
    { id: 'SUR', label: 'SUR' },
    { id: 'ICU', label: 'ICU', isOut: true },
  ];
  render(<TransferMatrix units={units} cells={[{ from: 'MED', to: 'ICU', out: 1, in: null, isMissing: true }]} />);
  const sums = [...document.querySelectorAll('td.mx-sum')].map(({ textContent }) => textContent);
  expect(sums).toEqual(['1', '0', '–', '0', '0', '–']);
});

it('CEN-6 CEN-R7 sides that differ on single days are ringed though their sums agree; counts are as long as the reader’s', () => {
  const moves = { from: 'MED', to: 'SUR', out: 1285, in: 1285, isMissing: false };
  const units = ['MED', 'SUR'].map((id) => ({ id, label: id }));
  const format = (count: number) => count.toLocaleString('en-GB');
  const { rerender } = render(<TransferMatrix units={units} cells={[{ ...moves, gap: 2 }]} format={format} />);
  const ringed = 'MED to SUR: sent 1,285, received 1,285, they disagree on single days';
  expect(screen.getByRole('cell', { name: ringed }).className).toBe('mx-gap');
  expect([...document.querySelectorAll('td.mx-sum')].map(({ textContent }) => textContent)).toEqual([
    '1,285',
    '0',
    '0',
    '1,285',
  ]);
  rerender(<TransferMatrix units={units} cells={[{ ...moves, gap: 0 }]} format={format} />);
  expect(screen.getByRole('cell', { name: 'MED to SUR: sent 1,285, received 1,285' }).className).toBe('mx-some');
});

describe('EXAM-4 measurements', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 19, hour);
  const draw = (points: readonly Measurement[], band: { low: number | null; high: number | null }) =>
    render(
      <MeasurementChart
        {...{ points, band }}
        label="Potassium"
        format={String}
        timeName={(moment) => new Date(moment).toISOString().slice(11, 16)}
      />,
    ).container;
  const point = (hour: number, value: number, isMarked = false) => ({ at: at(hour), value, isMarked });

  it('stand where they are in time, over the band of what is normal; a critical one is ringed', () => {
    const container = draw([point(0, 5), point(1, 7, true), point(10, 4)], { low: 3.5, high: 5.3 });
    const x = [...container.querySelectorAll('circle')].map((circle) => Number(circle.getAttribute('cx')));
    const [first = 0, second = 0, last = 0] = x;
    expect((second - first) / (last - first)).toBeCloseTo(0.1);
    expect(container.querySelectorAll('.ln-signal')).toHaveLength(1);
    const [, top = '', bottom = ''] = /^M\S+ (\S+)H\S+V(\S+)H\S+Z$/.exec(band(container)) ?? [];
    expect(Number(top)).toBeLessThan(Number(bottom));
    expect(screen.getByRole('img', { name: 'Potassium' })).toBeDefined();
    expect(screen.getByText('10:00')).toBeDefined();
    // Too near to the next one for words of its own.
    expect(screen.queryByText('00:00') && screen.queryByText('01:00')).toBeNull();
  });

  it('a single one stands in the middle, and a side without a limit reaches to the edge', () => {
    const container = draw([point(3, 90)], { low: null, high: 120 });
    expect(container.querySelectorAll('circle')).toHaveLength(1);
    expect(band(container)).toMatch(/V184H/);
    expect(band(draw([point(3, 90)], { low: null, high: null }))).toBe('');
  });

  const band = (container: HTMLElement) => container.querySelector('.ln-band')?.getAttribute('d') ?? '';
});
