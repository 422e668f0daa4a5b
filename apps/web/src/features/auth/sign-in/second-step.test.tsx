// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { describe, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { SignInScreen } from './sign-in-screen.tsx';

const refusal = (code: string, fieldErrors = {}) =>
  new ApiError('The given data was invalid.', { status: 422, code, fieldErrors });

/** At the second step: the password was right. */
async function atSecondStep() {
  const app = createFakeApp();
  app.session.signIn.mockRejectedValueOnce(refusal('two_factor_required'));
  app.draw(<SignInScreen notice={null} canSignUp={false} hasPasskeys={false} onSignedIn={() => undefined} />);
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ana@demo.test' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  const field = await screen.findByLabelText('Code');
  return { ...app, field };
}

const enter = (label: string, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

describe('the second step', () => {
  it('ACC-3 asks for the code in a field that phones and password managers fill, and goes on with it', async () => {
    const { session, field } = await atSecondStep();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
    enter('Code', ' 123 456 ');
    await waitFor(() => expect(session.signIn).toHaveBeenCalledTimes(2));
    expect(session.signIn.mock.calls).toEqual([
      ['ana@demo.test', 'secret', { ownDevice: false }],
      ['ana@demo.test', 'secret', { ownDevice: false, secondStep: { code: '123 456' } }],
    ]);
  });

  it('ACC-3 a wrong code is said at its field; a recovery code can take its place', async () => {
    const { session, field } = await atSecondStep();
    enter('Code', '');
    expect(await screen.findByText('Enter the code.')).toBeTruthy();
    session.signIn.mockRejectedValueOnce(refusal('unprocessable', { code: ['This code is wrong.'] }));
    enter('Code', '000000');
    expect(await screen.findByText('This code is wrong.')).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Recovery code')));
    enter('Recovery code', 'abcde-fghjk');
    await waitFor(() =>
      expect(session.signIn).toHaveBeenLastCalledWith('ana@demo.test', 'secret', {
        ownDevice: false,
        secondStep: { recovery_code: 'abcde-fghjk' },
      }),
    );
  });

  it('ACC-3 leads back to the password', async () => {
    await atSecondStep();
    fireEvent.click(screen.getByRole('button', { name: 'Back to sign-in' }));
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });
});
