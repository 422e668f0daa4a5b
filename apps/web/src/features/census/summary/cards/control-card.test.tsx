// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { addDays } from '@wardline/census/calendar.ts';
import { noSums } from '@wardline/census/measures.ts';
import { expect, it } from 'vitest';
import type { SeriesPoint } from '#/features/census/charts/daily-series.ts';
import { ControlCard } from './control-card.tsx';

/** Eight weeks from Thu 1 Oct 2026 on, every second day a patient more; one day as it is given. */
function days(unlike: Readonly<Record<number, number>> = {}): SeriesPoint[] {
  return Array.from({ length: 56 }, (_, index) => ({
    date: addDays('2026-10-01', index),
    occupied: unlike[index] ?? 20 + (Math.floor(index / 7) % 2),
    beds: 30,
    mean: null,
    reported: 1,
    expected: 1,
    sums: noSums(1),
  }));
}

it('CEN-9 says the mean of the moving ranges, their limit, and on which days it was passed', () => {
  const { rerender } = render(<ControlCard points={days()} denominator="staffed" />);
  expect(screen.getByText(/^Limits/).textContent).toContain(
    'Limits −0.34 to 0.34. Moving range: mean 0.13, limit 0.42, passed on Thu 8 Oct',
  );
  rerender(<ControlCard points={days({ 45: 34 })} denominator="staffed" />);
  expect(screen.getByText(/^Limits/).textContent).toMatch(/passed on Sun 15 Nov, Mon 16 Nov\. Capacity/);
  fireEvent.click(screen.getByRole('button', { name: /Show as table/ }));
  const row = within(screen.getByRole('table')).getByRole('row', { name: /^Sun 15 Nov 2026/ });
  expect(row.textContent).toContain('beyond the limits, a jump past the limit of moving ranges');
});
