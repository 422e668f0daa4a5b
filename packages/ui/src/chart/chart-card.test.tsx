// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ChartCard } from '#/chart/chart-card.tsx';

afterEach(cleanup);

const draw = () =>
  render(
    <ChartCard title="Occupancy" table={<p>The numbers</p>} aside={<input aria-label="Search" />}>
      <button type="button">The picture</button>
    </ChartCard>,
  );
const twin = () => screen.getByRole('button', { name: 'Show as table' });
const hasPicture = () => screen.queryByText('The picture') !== null;
const hasTable = () => screen.queryByText('The numbers') !== null;

it('CEN-5 a picture and its table twin take turns at a press of the button, which says which of them stands', () => {
  draw();
  expect([hasPicture(), hasTable(), twin().getAttribute('aria-pressed')]).toEqual([true, false, 'false']);
  fireEvent.click(twin());
  expect([hasPicture(), hasTable(), twin().getAttribute('aria-pressed')]).toEqual([false, true, 'true']);
});

it('CEN-5 T inside the card shows the table, and the focus stays in the card when what had it goes', () => {
  draw();
  screen.getByText('The picture').focus();
  fireEvent.keyDown(screen.getByText('The picture'), { key: 't' });
  expect([hasPicture(), hasTable()]).toEqual([false, true]);
  expect(document.activeElement).toBe(twin());
  fireEvent.keyDown(twin(), { key: 'T' });
  expect([hasPicture(), hasTable()]).toEqual([true, false]);
});

it('CEN-5 T is a letter where somebody types, and nothing with Ctrl, Alt or Meta', () => {
  draw();
  fireEvent.keyDown(screen.getByLabelText('Search'), { key: 't' });
  for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) fireEvent.keyDown(twin(), { key: 't', [modifier]: true });
  expect(hasTable()).toBe(false);
});

it('CEN-5 on paper both stand, the table beside the picture', () => {
  draw();
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect([hasPicture(), hasTable()]).toEqual([true, true]);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect([hasPicture(), hasTable()]).toEqual([true, false]);
});
