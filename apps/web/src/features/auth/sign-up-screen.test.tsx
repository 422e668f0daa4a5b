// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { register } from '@wardline/contract/account/account.ts';
import { showInvitation } from '@wardline/contract/facilities/invitations.ts';
import { describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { SignUpScreen } from './sign-up-screen.tsx';

const token = 'a'.repeat(43);
const password = 'correct horse battery';

function setUp({
  invitation = null as string | null,
  email = null as string | null,
  isOpen = false,
  isMailSent = true,
} = {}) {
  const app = createFakeApp();
  const registered = vi.fn();
  app.api.on(register, ({ body }) => void registered(body));
  app.api.on(showInvitation, () => ({
    facility_name: 'St. Brigid General',
    expires_at: '2026-11-27T12:00:00Z',
    email,
  }));
  const onSignedIn = vi.fn();
  const draw = () =>
    app.draw(<SignUpScreen token={invitation} {...{ isOpen, isMailSent, onSignedIn }} signInHref="/sign-in?x" />);
  const fill = (values: { name?: string; email?: string; password?: string } = {}) => {
    for (const [label, value] of [
      ['Name', values.name ?? 'Ana Reyes'],
      ['Email', values.email ?? ' ana@demo.test '],
      ['Password', values.password ?? password],
    ] as const) {
      fireEvent.input(screen.getByLabelText(label), { target: { value } });
    }
  };
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign up' }));
  return { ...app, draw, fill, submit, registered, onSignedIn };
}

describe('ACC-1 signing up', () => {
  it('ACC-1 an invitation says which facility invites, and goes with what is entered', async () => {
    const { draw, fill, submit, registered } = setUp({ invitation: token });
    draw();
    expect(await screen.findByText('St. Brigid General')).toBeTruthy();
    fill();
    submit();
    await waitFor(() =>
      expect(registered).toHaveBeenCalledWith({
        name: 'Ana Reyes',
        email: 'ana@demo.test',
        password,
        password_confirmation: password,
        invitation: token,
      }),
    );
  });

  it('ACC-1 the form of an invitation that was mailed begins with that address, which may be changed', async () => {
    const { draw, fill, submit, registered } = setUp({ invitation: token, email: 'ana.reyes@hospital.test' });
    draw();
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', 'ana.reyes@hospital.test');
    const enter = (label: string, value: string) =>
      fireEvent.input(screen.getByLabelText(label), { target: { value } });
    enter('Password', 'ana.reyes by the harbour');
    expect(screen.getByText('It contains your email. Choose something else.')).toBeTruthy();
    enter('Name', 'Kim Park');
    enter('Password', password);
    submit();
    fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
    fill({ email: 'ana@home.test' });
    submit();
    await waitFor(() => expect(registered).toHaveBeenCalledTimes(2));
    expect(registered.mock.calls.map(([{ email }]) => email)).toEqual(['ana.reyes@hospital.test', 'ana@home.test']);
  });

  it('ACC-1 who was invited and mistyped the address signs up again with the same invitation', async () => {
    const { draw, fill, submit, registered } = setUp({ invitation: token });
    draw();
    await screen.findByText('St. Brigid General');
    fill({ email: 'an@demo.test' });
    submit();
    expect(await screen.findByText(/your invitation stays valid until you have joined\.$/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    fill({ email: 'ana@demo.test' });
    submit();
    await waitFor(() => expect(registered).toHaveBeenCalledTimes(2));
    expect(registered.mock.lastCall?.[0]).toMatchObject({ email: 'ana@demo.test', invitation: token });
  });

  it.each([404, 410, 422])('ACC-1 an invitation without force says so and what to do (%i)', async (status) => {
    const { draw, refuse } = setUp({ invitation: 'b'.repeat(43) });
    refuse(status);
    draw();
    expect((await screen.findByText(/^It was used, withdrawn/)).textContent).toBe(
      'This invitation is no longer valid. It was used, withdrawn, or is older than 7 days.',
    );
    expect(screen.getByText('Ask the person who sent it for a new one.')).toBeTruthy();
    expect(screen.queryByLabelText('Email')).toBeNull();
  });

  it('ACC-1 an invitation that cannot be loaded is asked for again', async () => {
    const { draw, refuse, answer } = setUp({ invitation: token });
    refuse(503, { message: 'The service is not available right now.' });
    draw();
    expect((await screen.findByRole('alert')).textContent).toContain('The service is not available right now.');
    answer();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('St. Brigid General')).toBeTruthy();
  });

  it('ACC-1 without an invitation it says whom to ask, and shows no form', () => {
    const { draw } = setUp();
    draw();
    expect(screen.getByText(/You need an invitation to sign up/)).toBeTruthy();
    expect(screen.queryByLabelText('Email')).toBeNull();
    for (const link of screen.getAllByRole('link', { name: 'Contacts' }))
      expect(link.getAttribute('href')).toBe('/contacts');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in?x');
  });

  it('ACC-1 where anybody may, no invitation is sent along; then it says where the link went and how long it lasts', async () => {
    const { draw, fill, submit, registered } = setUp({ isOpen: true });
    draw();
    fill();
    submit();
    const title = await screen.findByRole('heading', { name: 'Check your email' });
    expect(document.activeElement).toBe(title);
    expect(registered.mock.calls[0]?.[0]).not.toHaveProperty('invitation');
    expect(screen.getByText('ana@demo.test')).toBeTruthy();
    expect(screen.getByText(/Open it in this browser within 24 hours/)).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('ACC-1 A3 where no mail server is set it says to everybody alike whom to ask for the link', async () => {
    const { draw, fill, submit } = setUp({ isOpen: true, isMailSent: false });
    draw();
    fill();
    submit();
    expect(await screen.findByRole('heading', { name: 'Ask for your link' })).toBeTruthy();
    expect(screen.getByText(/Ask your administrator to set one, or to give you the link/)).toBeTruthy();
    expect(screen.queryByText(/We sent a link/)).toBeNull();
  });

  it('ACC-1 one can go back from there and finds everything that was entered', async () => {
    const { draw, fill, submit } = setUp({ isOpen: true });
    draw();
    fill({ email: 'an@demo.test' });
    submit();
    fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
    expect(screen.getByRole('heading', { name: 'Sign up' })).toBeTruthy();
    const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect([value('Name'), value('Email'), value('Password')]).toEqual(['Ana Reyes', 'an@demo.test', password]);
  });

  it('ACC-1 a back end that signs a person in at once is followed', async () => {
    const { draw, fill, submit, session, setSession, onSignedIn } = setUp({ isOpen: true });
    session.refresh.mockImplementation(async () => setSession({ status: 'signed-in', user: anaUser, confirmed: true }));
    draw();
    fill();
    submit();
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  });

  it('ACC-2 says at the field what the server thinks of the password, and above what has no field', async () => {
    const { draw, fill, submit, refuse } = setUp({ isOpen: true });
    refuse(422, {
      errors: { password: ['This password is too easy to guess.'], invitation: ['This invitation was used.'] },
    });
    draw();
    fill();
    submit();
    expect(await screen.findByText('This password is too easy to guess.')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('This invitation was used.');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  });

  it.each([
    [429, { retryAfterS: 120 }, 'Too many attempts. Try again in 2 min.'],
    [500, {}, 'The server failed. What you entered is still here; try again.'],
    [419, {}, 'This page was open for too long. Try again.'],
  ])('ACC-1 a refusal with %i is said in words', async (status, details, text) => {
    const { draw, fill, submit, refuse } = setUp({ isOpen: true });
    refuse(status, details);
    draw();
    fill();
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe(text);
  });

  it('ACC-2 password managers and pasting work: named fields, nothing cut off, hints said politely', () => {
    const { draw } = setUp({ isOpen: true });
    draw();
    const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
    expect(['Name', 'Email', 'Password'].map((label) => field(label).autocomplete)).toEqual([
      'name',
      'username',
      'new-password',
    ]);
    expect(field('Password').hasAttribute('maxlength')).toBe(false);
    fireEvent.input(field('Name'), { target: { value: 'Ana Reyes' } });
    fireEvent.input(field('Password'), { target: { value: 'ninechars' } });
    expect(screen.getByText('6 more characters.').getAttribute('aria-live')).toBe('polite');
    fireEvent.input(field('Password'), { target: { value: 'i am Reyes and proud' } });
    expect(screen.getByText('It contains your name. Choose something else.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field('Password').type).toBe('text');
  });
});
