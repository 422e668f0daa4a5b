// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ContactMessage } from './contact-form.tsx';
import { ContactsScreen } from './contacts-screen.tsx';
import { contacts } from './content/public-content.ts';

const nothing = { email: null, latitude: null, longitude: null };

function setUp(change: Partial<Parameters<typeof ContactsScreen>[0]> = {}) {
  const send = vi.fn<(message: ContactMessage) => Promise<void>>(async () => undefined);
  const view = render(<ContactsScreen content={contacts} contact={nothing} person={null} send={send} {...change} />);
  return { send, view };
}

function fill(values: Partial<ContactMessage>) {
  for (const [label, value] of Object.entries(values))
    fireEvent.input(field(`${label[0]?.toUpperCase()}${label.slice(1)}`), { target: { value } });
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Send message' }));
const whole = { name: 'Ana Reyes', email: ' ana@demo.test ', message: 'I cannot sign in.\nSince Monday.' };

const refuse = (status: number, details: Partial<ConstructorParameters<typeof ApiError>[1]> = {}, message = 'No.') =>
  vi.fn(async () => {
    throw new ApiError(message, { status, code: 'x', ...details });
  });

afterEach(() => vi.restoreAllMocks());

describe('NAV-1 the form to the operator', () => {
  it('NAV-1 hands over what was written, then says that it is on its way and to whom the answer goes', async () => {
    const { send } = setUp();
    fill(whole);
    submit();
    const heading = await screen.findByRole('heading', { name: 'Message sent' });
    expect(send).toHaveBeenCalledExactlyOnceWith({ ...whole, email: 'ana@demo.test' });
    expect(screen.getByText('The operator answers to ana@demo.test.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('NAV-1 after one message there is room for another, and the text of the first is gone', async () => {
    setUp();
    fill(whole);
    submit();
    fireEvent.click(await screen.findByRole('button', { name: 'Write another message' }));
    expect(field('Message').value).toBe('');
  });

  it('NAV-1 says at each field what is missing, and asks nobody', () => {
    const { send } = setUp();
    submit();
    for (const text of ['Enter your name.', 'Enter your email.', 'Write what it is about.'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
    expect(send).not.toHaveBeenCalled();
  });

  it.each([
    [422, { fieldErrors: { email: ['The email must be valid.'] } }, 'The email must be valid.'],
    [429, { retryAfterMs: 600_000 }, 'Too many attempts. Try again in 10 min.'],
    [503, {}, 'No mail can be sent from here.'],
    [0, { code: 'network' }, 'The server could not be reached. Check the connection.'],
  ])('NAV-1 a refusal with %d is said in words, and nothing typed is lost', async (status, details, text) => {
    setUp({ send: refuse(status, details, 'No mail can be sent from here.') });
    fill(whole);
    submit();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(field('Name').value).toBe(whole.name);
    expect(field('Message').value).toBe(whole.message);
  });

  it('NAV-1 without a network it says so and does not pretend to send', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { send } = setUp();
    expect(screen.getByText('Sending needs the network. What you write stays here.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' }).disabled).toBe(true);
    submit();
    expect(send).not.toHaveBeenCalled();
  });

  it('NAV-1 a text that was not sent is there again after a reload', () => {
    const { view } = setUp();
    fill({ message: 'Half a sentence' });
    view.unmount();
    setUp();
    expect(field('Message').value).toBe('Half a sentence');
  });

  it('NAV-1 who is signed in is spared the first two fields', () => {
    setUp({ person: { name: 'Ana Reyes', email: 'ana@demo.test' } });
    expect([field('Name').value, field('Email').value]).toEqual(['Ana Reyes', 'ana@demo.test']);
  });

  it('NAV-1 a session that is found late does not write over what was typed', async () => {
    const { view, send } = setUp();
    fill({ name: 'Somebody else' });
    await act(async () =>
      view.rerender(
        <ContactsScreen content={contacts} contact={nothing} person={{ name: 'Ana', email: 'a@b.test' }} send={send} />,
      ),
    );
    expect(field('Name').value).toBe('Somebody else');
  });
});

describe('NAV-1 how else the operator is reached', () => {
  it('NAV-1 nothing is claimed where the operator has published nothing', () => {
    setUp();
    expect(screen.queryByText('Location')).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('NAV-1 shows the address and the place that were configured', () => {
    setUp({ contact: { email: 'it@brigid.test', latitude: -33.8688, longitude: 151.2093 } });
    expect(screen.getByRole('link', { name: 'it@brigid.test' }).getAttribute('href')).toBe('mailto:it@brigid.test');
    expect(screen.getByRole('link', { name: '33.8688° S, 151.2093° E' }).getAttribute('href')).toBe(
      'geo:-33.8688,151.2093',
    );
  });

  it('NAV-1 the place at 0° is a place', () => {
    setUp({ contact: { email: null, latitude: 0, longitude: 0 } });
    expect(screen.getByText('0° N, 0° E')).toBeTruthy();
  });
});
