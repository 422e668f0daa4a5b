// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Chip } from '#/mark/chip.tsx';
import { Pill } from '#/mark/pill.tsx';

afterEach(cleanup);

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('SHELL-8: a count of %i shows as %s and is said in full', (count, shown) => {
  const { container } = render(<Pill count={count} label={`${count} unread`} />);
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe(shown);
  expect(screen.getByText(`${count} unread`)).toBeDefined();
});

test('SHELL-8: a count of zero shows nothing', () => {
  const { container } = render(<Pill count={0} label="0 unread" />);
  expect(container.innerHTML).toBe('');
});

test('SHELL-8: a filter says whether it is on, and one that opens a menu does not', () => {
  render(
    <>
      <Chip isPressed>Open</Chip>
      <Chip isPressed={false}>Unread</Chip>
      <Chip>Kind</Chip>
    </>,
  );
  expect(screen.getByRole('button', { name: 'Open', pressed: true })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Unread', pressed: false })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Kind' }).hasAttribute('aria-pressed')).toBe(false);
});
