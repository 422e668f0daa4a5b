// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { transportError } from '@wardline/client/http/api-error.ts';
import { expect, it } from 'vitest';
import { useForm } from './use-form.ts';

function Named() {
  const form = useForm({
    names: ['name'],
    send: () => Promise.reject(transportError('network', 'The server could not be reached.')),
  });
  return (
    <form {...form.props}>
      <input name="name" />
      <button type="submit">Save</button>
      <p role="alert">{form.error.general}</p>
    </form>
  );
}

it('PWA-5 that the server could not be reached is said no longer once the network is back', async () => {
  render(<Named />);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/could not be reached/)).toBeTruthy();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.getByRole('alert').textContent).toBe('');
});

function Chosen() {
  const form = useForm({
    names: ['abilities'],
    required: { abilities: 'Choose what it may be used for.' },
    send: async () => undefined,
  });
  return (
    <form {...form.props}>
      <input type="checkbox" name="abilities" value="read" aria-label="Read" />
      <input type="checkbox" name="abilities" value="write" aria-label="Write" />
      <button type="submit">Save</button>
      <p>{form.error.fields.abilities}</p>
    </form>
  );
}

it('SHELL-7 the focus goes to the first of a group of checkboxes of which none was chosen', () => {
  render(<Chosen />);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Choose what it may be used for.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Read' }));
});
