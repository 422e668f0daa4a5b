// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Chip } from './chip.tsx';
import { ChipRow } from './chip-row.tsx';

const names = ['One', 'Two', 'Three', 'Four', 'Five'];
// A row as wide as a phone, of chips that are 120 wide.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
    const place = names.indexOf(this.textContent ?? '');
    return place < 0 ? new DOMRect(0, 0, 360, 32) : new DOMRect(place * 120 - row().scrollLeft, 0, 120, 32);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const row = () => screen.getByRole('group', { name: 'Filters' });
const chips = (on: string) => (
  <ChipRow label="Filters">
    {names.map((name) => (
      <Chip key={name} isPressed={name === on}>
        {name}
      </Chip>
    ))}
  </ChipRow>
);

it('brings what is on into view: as it opens, and each time that another is, not while one scrolls', () => {
  const { rerender } = render(chips('Five'));
  expect(row().scrollLeft).toBe(264);
  row().scrollLeft = 0;
  rerender(chips('Five'));
  expect(row().scrollLeft).toBe(0);
  rerender(chips('Four'));
  expect(row().scrollLeft).toBe(144);
  rerender(chips('One'));
  expect(row().scrollLeft).toBeLessThanOrEqual(0);
});

it('stays where it is where nothing is on', () => {
  render(chips(''));
  expect(row().scrollLeft).toBe(0);
});
