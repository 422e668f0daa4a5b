// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { SignInForm, type SignInFormProps } from './sign-in-form.tsx';

function setUp(change: Partial<SignInFormProps> = {}) {
  const signIn = vi.fn<SignInFormProps['signIn']>(async () => undefined);
  render(<SignInForm notice={null} canSignUp={false} signIn={signIn} {...change} />);
  const fill = (email: string, password: string) => {
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  };
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  return { signIn, fill, submit };
}

const refuse = (
  status: number,
  details: { fieldErrors?: Record<string, string[]>; retryAfterMs?: number; code?: string } = {},
) =>
  vi.fn(async () => {
    throw new ApiError('The given data was invalid.', { status, code: 'x', ...details });
  });

describe('sign-in', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('hands over email, password and whose device it is', async () => {
    const { signIn, fill, submit } = setUp();
    fill(' ana@demo.test ', ' keeps its blanks ');
    fireEvent.click(screen.getByLabelText('This is my own device'));
    submit();
    await waitFor(() =>
      expect(signIn).toHaveBeenCalledWith({
        email: 'ana@demo.test',
        password: ' keeps its blanks ',
        isOwnDevice: true,
      }),
    );
  });

  it('leaves a device shared unless told otherwise, and says what the box means', () => {
    setUp();
    expect(screen.getByLabelText<HTMLInputElement>('This is my own device').checked).toBe(false);
    expect(screen.getByText(/encrypted, for 7 days. Leave it off on a shared ward computer/)).toBeTruthy();
  });

  it('ACC-2 shows and hides the password, and works with password managers', () => {
    setUp();
    const password = screen.getByLabelText('Password');
    expect(password.getAttribute('autocomplete')).toBe('current-password');
    expect(screen.getByLabelText('Email').getAttribute('autocomplete')).toBe('username');
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.getAttribute('type')).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(password.getAttribute('type')).toBe('password');
  });

  it('says at its field what is missing, and asks nobody', () => {
    const { signIn, submit } = setUp();
    submit();
    expect(screen.getByText('Enter your email.')).toBeTruthy();
    expect(screen.getByText('Enter your password.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
    expect(signIn).not.toHaveBeenCalled();
  });

  it('ACC-2 says over the form that email and password do not go together: neither field alone is wrong', async () => {
    const { fill, submit } = setUp({
      signIn: refuse(422, { fieldErrors: { email: ['These credentials do not match our records.'] } }),
    });
    fill('ana@demo.test', 'wrong');
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe('These credentials do not match our records.');
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  });

  it.each([
    ['ana', { email: ['The email must be an address.'] }, 'Email'],
    ['ana@demo.test', { password: ['At most 128 characters.'] }, 'Password'],
  ])('puts the server’s field error at its field: %s', async (email, fieldErrors, label) => {
    const { fill, submit } = setUp({ signIn: refuse(422, { fieldErrors: fieldErrors as Record<string, string[]> }) });
    fill(email, 'wrong');
    submit();
    await waitFor(() => expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    [45_000, 'Too many attempts. Try again in 45 s.'],
    [600_000, 'Too many attempts. Try again in 10 min.'],
  ])('says throttling in words with the wait of %d ms', async (retryAfterMs, text) => {
    const { fill, submit } = setUp({ signIn: refuse(429, { retryAfterMs }) });
    fill('ana@demo.test', 'x');
    submit();
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('says that the server could not be reached', async () => {
    const { fill, submit } = setUp({ signIn: refuse(0, { code: 'network' }) });
    fill('ana@demo.test', 'x');
    submit();
    expect(await screen.findByText('The server could not be reached. Check the connection.')).toBeTruthy();
  });

  it('says that there is no network', () => {
    setOnline(false);
    setUp();
    expect(screen.getByText('Offline.')).toBeTruthy();
    expect(screen.getByText('Signing in needs the network.')).toBeTruthy();
  });

  it.each([
    ['session-ended', 'Your session ended; your draft is kept.'],
    ['password-set', 'Your password is set. Sign in with it.'],
    ['address-confirmed', 'Your address is confirmed. Sign in with the password you chose.'],
    [
      'link-invalid',
      'This link is no longer valid. It was already used or has expired. Sign in to get a new one. If you are new here, sign up again.',
    ],
  ] as const)('NAV-6 ACC-1 says why one was sent here: %s', async (notice, text) => {
    setUp({ notice });
    expect((await screen.findByRole('status')).textContent).toBe(text);
  });

  it('NAV-2 leads to a forgotten password, and to sign-up only where anybody may', () => {
    setUp();
    const link = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');
    expect(link('Forgot password?')).toBe('/forgot-password');
    expect(link('Sign up')).toBeUndefined();
    expect(screen.getByText('No account? Your facility sends an invitation.')).toBeTruthy();
    cleanup();
    setUp({ canSignUp: true });
    expect(link('Sign up')).toBe('/sign-up');
    expect(screen.queryByText(/sends an invitation/)).toBeNull();
  });

  it('the error of a field leaves it when one goes on typing', async () => {
    const { submit } = setUp();
    submit();
    fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'a' } });
    await waitFor(() => expect(screen.queryByText('Enter your email.')).toBeNull());
    expect(screen.getByText('Enter your password.')).toBeTruthy();
  });
});
