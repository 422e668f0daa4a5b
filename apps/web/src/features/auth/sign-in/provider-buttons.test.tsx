// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { SignInForm } from './sign-in-form.tsx';

const call = vi.fn();
const signIn = vi.fn(async () => undefined);
const providers = [{ id: 'hospital', label: 'St. Mary’s account' }];

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  call.mockReset();
  window.location.hash = '';
});

function show(given = providers) {
  return render(
    <CallContext value={call}>
      <SignInForm notice={null} canSignUp={false} signIn={signIn} providers={given} />
    </CallContext>,
  );
}

const press = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in with St. Mary’s account' }));

it('ACC-4 leaves for the provider’s page, whose device it is said with it, after a sign-out too', async () => {
  localStorage.setItem('wardline-signed-out-at', '1');
  call.mockResolvedValue({ location: 'https://login.example/auth' });
  show();
  fireEvent.click(screen.getByLabelText('This is my own device'));
  await press();
  await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('https://login.example/auth'));
  const input = { params: { provider: 'hospital' }, body: { remember: true } };
  expect(call).toHaveBeenCalledWith(expect.objectContaining({ name: 'beginSingleSignOn' }), input);
  expect(localStorage.getItem('wardline-signed-out-at')).toBeNull();
});

it('ACC-4 says at the button that the provider is down', async () => {
  call.mockRejectedValue(new ApiError('It can’t be reached right now.', { status: 502, code: 'bad_gateway' }));
  show();
  await press();
  expect(await screen.findByText('It can’t be reached right now.')).toBeTruthy();
  expect(window.location.assign).not.toHaveBeenCalled();
});

it('ACC-3 ACC-4 goes on with the second step where the provider’s word is not enough', async () => {
  window.location.hash = '#sso=second-step';
  show();
  await waitFor(() => expect(signIn).toHaveBeenCalledWith(expect.objectContaining({ isProvided: true })));
  expect(window.location.hash).toBe('');
});

it('ACC-4 says why a provider led back to nothing', async () => {
  window.location.hash = '#sso=no_account';
  show();
  expect(await screen.findByText(/There is no account for you here yet/)).toBeTruthy();
});

it('ACC-4 shows nothing, and asks for nothing, where the back end names no provider', async () => {
  const { container } = show([]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy());
  expect(container.querySelector('.in-sso')?.childElementCount).toBe(0);
  expect(call).not.toHaveBeenCalled();
});
