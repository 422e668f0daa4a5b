// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { type ControlMultiple, ControlMultiples } from '#/chart/control-multiples.tsx';

afterEach(cleanup);

const item = (title: string, values: readonly (number | null)[], more: Partial<ControlMultiple> = {}) => ({
  key: title,
  title,
  points: values.map((value, index) => ({ label: `Week ${index + 1}`, value })),
  limits: { mean: 40, upper: 52, lower: 28 },
  signals: [],
  ...more,
});

function Two() {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <ControlMultiples
      items={[
        item('Mon', [40, 41, 60], { signals: [{ index: 2, rule: 'beyond the limits' }] }),
        item('Tue', [10, null, 12], { limits: null }),
      ]}
      format={(value) => `${Math.round(value)}`}
      openKey={open}
      onOpen={setOpen}
    />
  );
}

const ticksOf = (button: HTMLElement) => [...button.querySelectorAll('.ln-axis')].map(({ textContent }) => textContent);

it('CEN-9 small charts stand on one scale, each with its own limits, and say how many points break a rule', () => {
  render(<Two />);
  const [monday, tuesday] = screen.getAllByRole('button');
  if (!monday || !tuesday) throw new Error('no charts');
  expect(ticksOf(monday)).toEqual(ticksOf(tuesday));
  expect(ticksOf(monday)[0]).toBe('0');
  expect(monday.textContent).toContain('Mon40, 28 to 521 point breaks a rule');
  expect(tuesday.textContent).toContain('TueNo limits yetno point breaks a rule');
  expect([monday, tuesday].map((chart) => chart.querySelectorAll('.ln-level').length)).toEqual([3, 0]);
  expect([monday, tuesday].map((chart) => chart.querySelectorAll('.ln-signal').length)).toEqual([1, 0]);
  // What is not known is hatched and no point.
  expect(tuesday.querySelectorAll('rect[fill^="url"]')).toHaveLength(1);
  expect(tuesday.querySelectorAll('circle')).toHaveLength(2);
});

it('CEN-9 one of them is opened, another takes its place, and pressed again it closes', () => {
  render(<Two />);
  const [monday, tuesday] = screen.getAllByRole('button');
  if (!monday || !tuesday) throw new Error('no charts');
  const states = () => [monday, tuesday].map((chart) => chart.getAttribute('aria-expanded'));
  fireEvent.click(monday);
  expect(states()).toEqual(['true', 'false']);
  fireEvent.click(tuesday);
  expect(states()).toEqual(['false', 'true']);
  fireEvent.click(tuesday);
  expect(states()).toEqual(['false', 'false']);
});
