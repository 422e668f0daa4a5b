// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Checkbox } from '#/input/checkbox.tsx';
import { PasswordInput } from '#/input/password-input.tsx';
import { SearchInput } from '#/input/search-input.tsx';
import { Switch } from '#/input/switch.tsx';
import { TextInput } from '#/input/text-input.tsx';

afterEach(cleanup);

function noteOf(control: HTMLElement): string | null | undefined {
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
}

test('SHELL-8: a field is named by its label and described by its help', () => {
  render(<TextInput label="Reason" help="Goes with the report." />);
  const input = screen.getByLabelText('Reason');
  expect(noteOf(input)).toBe('Goes with the report.');
  expect(input.hasAttribute('aria-invalid')).toBe(false);
});

test('SHELL-8: an error takes the place of the help and marks the field invalid', () => {
  render(<TextInput label="Head count" help="Whole patients." error="Whole patients only." />);
  const input = screen.getByLabelText('Head count');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(noteOf(input)).toBe('Whole patients only.');
  expect(screen.queryByText('Whole patients.')).toBeNull();
});

test('SHELL-8: a field without help or error points to nothing', () => {
  render(<TextInput label="Unit" error="" />);
  expect(screen.getByLabelText('Unit').hasAttribute('aria-describedby')).toBe(false);
});

test("ACC-2: the password is hidden until 'Show password' and again after 'Hide password'", () => {
  render(<PasswordInput label="Password" defaultValue="correct horse" />);
  const input = screen.getByLabelText('Password', { selector: 'input' });
  expect(input.getAttribute('type')).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.getAttribute('type')).toBe('text');
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(input.getAttribute('type')).toBe('password');
  expect(screen.getByRole('button', { name: 'Show password' })).toBeDefined();
});

test('SHELL-8: the words of a box to tick are part of it, and a switch says it is one', () => {
  render(
    <>
      <Checkbox label="Two signatures" error="Tick it to go on." />
      <Switch label="Quiet hours" help="Off duty only." />
      <Switch label="Mentions, by email" isLabelHidden />
    </>,
  );
  const box = screen.getByRole('checkbox', { name: 'Two signatures' });
  expect(noteOf(box)).toBe('Tick it to go on.');
  expect(noteOf(screen.getByRole('switch', { name: 'Quiet hours' }))).toBe('Off duty only.');
  expect(screen.getByRole('switch', { name: 'Mentions, by email' })).toBeDefined();
});

test('SHELL-7: Escape and the clearing button empty the search and leave the focus in it', () => {
  function Example() {
    const [value, setValue] = useState('cardiac');
    return <SearchInput label="Search chats" value={value} onValueChange={setValue} />;
  }
  render(<Example />);
  const input = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search chats' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(input.value).toBe('');
  expect(document.activeElement).toBe(input);
  fireEvent.change(input, { target: { value: 'renal' } });
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(input.value).toBe('');
});
