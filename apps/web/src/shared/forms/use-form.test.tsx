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
