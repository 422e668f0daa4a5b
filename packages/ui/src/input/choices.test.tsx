// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { RadioCards, RadioGroup } from '#/input/radio-group.tsx';
import { Select } from '#/input/select.tsx';
import { Segments } from '#/tabs/segments.tsx';

afterEach(cleanup);

const units = [
  { value: 'med', label: 'MED 3A' },
  { value: 'sur', label: 'SUR 2B' },
  { value: 'icu', label: 'ICU', isDisabled: true },
] as const;

function noteOf(control: HTMLElement): string | null | undefined {
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
}

it('SHELL-8 a choice from a list is named, says what is wrong and hands over one of its values', () => {
  const onValueChange = vi.fn();
  render(
    <Select
      label="Unit"
      error="Choose one."
      placeholder="Choose a unit"
      options={units}
      value=""
      onValueChange={onValueChange}
    />,
  );
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Unit' });
  expect(noteOf(list)).toBe('Choose one.');
  expect(list.selectedOptions[0]?.textContent).toBe('Choose a unit');
  expect(within(list).getByRole<HTMLOptionElement>('option', { name: 'ICU' }).disabled).toBe(true);
  fireEvent.change(list, { target: { value: 'sur' } });
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('sur');
});

it('SHELL-8 radios are one named group of which one is on, and two groups do not share a name', () => {
  const onValueChange = vi.fn();
  const group = (label: string) => (
    <RadioGroup label={label} help="Shown to all." value="med" onValueChange={onValueChange} choices={units} />
  );
  render(
    <>
      {group('From')}
      {group('To')}
    </>,
  );
  const from = screen.getByRole('group', { name: 'From' });
  expect(noteOf(from)).toBe('Shown to all.');
  const [med, sur, icu] = within(from).getAllByRole<HTMLInputElement>('radio');
  expect([med?.checked, sur?.checked, icu?.disabled]).toEqual([true, false, true]);
  expect(med?.name).not.toBe(
    within(screen.getByRole('group', { name: 'To' })).getAllByRole<HTMLInputElement>('radio')[0]?.name,
  );
  fireEvent.click(screen.getAllByRole('radio', { name: 'SUR 2B' })[0] ?? from);
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('sur');
});

it('SHELL-8 the picture of a choice is part of its target and says nothing of its own', () => {
  const onValueChange = vi.fn();
  render(
    <RadioCards
      label="Mode"
      isLabelHidden
      error="Choose one."
      value="light"
      onValueChange={onValueChange}
      choices={[
        { value: 'light', label: 'Light', picture: <b>sun</b> },
        { value: 'dark', label: 'Dark', picture: <b>moon</b> },
      ]}
    />,
  );
  expect(noteOf(screen.getByRole('group', { name: 'Mode' }))).toBe('Choose one.');
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeDefined();
  fireEvent.click(screen.getByText('moon'));
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('dark');
});

it('SHELL-7 segments are radios, so that arrow keys move between them', () => {
  const onValueChange = vi.fn();
  render(
    <Segments
      label="View"
      value="cards"
      onValueChange={onValueChange}
      choices={[
        { value: 'cards', label: 'Cards' },
        { value: 'table', label: 'Table' },
      ]}
    />,
  );
  const radios = within(screen.getByRole('group', { name: 'View' })).getAllByRole<HTMLInputElement>('radio');
  expect(radios.map((radio) => radio.checked)).toEqual([true, false]);
  expect(new Set(radios.map((radio) => radio.name)).size).toBe(1);
  fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('table');
});
