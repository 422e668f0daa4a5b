// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { setUp, showSetUp } from '@wardline/contract/facilities/set-up.ts';
import { expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { SetUpScreen } from './set-up-screen.tsx';

const token = 'a'.repeat(43);
const password = 'violet tram over the harbour';

function open({ goesOnAt = null as string | null } = {}) {
  const app = createFakeApp();
  const sent = vi.fn();
  app.api.on(showSetUp, () => undefined);
  app.api.on(setUp, ({ body }) => {
    sent(body);
    return { facility_id: '01970000-0000-7000-8000-000000000001', goes_on_at: goesOnAt };
  });
  const onDone = vi.fn();
  return { ...app, sent, onDone, draw: () => app.draw(<SetUpScreen token={token} onDone={onDone} />) };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

async function fill(): Promise<void> {
  await screen.findByLabelText('Name');
  type('Name', 'Ruth Okafor');
  type('Email', 'ruth@hospital.test');
  type('Password', password);
  type('Facility name', 'St. Hedwig');
  type('Short name', 'SH');
  type('Time zone', 'Europe/Berlin');
  type('Census hour', '07:00');
}
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Set up' }));

it('A51 ACC-1 the first administrator and facility go out in one form, and then one is signed in', async () => {
  const { draw, sent, onDone, session } = open();
  draw();
  await fill();
  type('Latitude', '52,52');
  type('Longitude', '−13.4');
  submit();
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(sent).toHaveBeenCalledWith({
    name: 'Ruth Okafor',
    email: 'ruth@hospital.test',
    password,
    password_confirmation: password,
    facility_name: 'St. Hedwig',
    facility_code: 'SH',
    time_zone: 'Europe/Berlin',
    census_time: '07:00',
    latitude: 52.52,
    longitude: -13.4,
  });
  expect(session.refresh).toHaveBeenCalled();
});

it('A51 what is missing or no number is said at its field, and nothing is sent', async () => {
  const { draw, sent } = open();
  draw();
  await screen.findByLabelText('Name');
  submit();
  expect(await screen.findByText('Enter your name.')).toBeTruthy();
  expect(screen.getByText('Enter the name of the facility.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  await fill();
  type('Latitude', 'north');
  submit();
  expect(await screen.findByText('Enter degrees, such as 52.52.')).toBeTruthy();
  expect(sent).not.toHaveBeenCalled();
});

it('A51 all that is wrong is said at once, at its fields, and nothing is sent', async () => {
  const { draw, sent } = open();
  draw();
  await screen.findByLabelText('Name');
  const wrong = {
    Email: 'ruth',
    Password: 'too short',
    'Short name': 'ST HEDWIG',
    'Time zone': 'Atlantis',
    Latitude: '95',
  };
  for (const [label, value] of Object.entries(wrong)) type(label, value);
  submit();
  await screen.findByText('Enter your name.');
  const all = [
    ...['This is not an email address.', 'At least 15 characters.', '2 to 4 letters or digits.'],
    ...['There is no time zone “Atlantis”. Type a city or a region and choose one from the list.'],
    ...['Between −90 and 90.', 'Both or neither: latitude and longitude.', 'Enter the name of the facility.'],
  ];
  for (const said of all) expect(screen.getAllByText(said), said).not.toHaveLength(0);
  for (const label of [...Object.keys(wrong), 'Name', 'Facility name', 'Longitude'])
    expect(screen.getByLabelText(label).getAttribute('aria-invalid'), label).toBe('true');
  expect(sent).not.toHaveBeenCalled();
});

it('A51 a link without force says so and where the newest one is', async () => {
  const { draw, refuse } = open();
  refuse(404);
  draw();
  expect(await screen.findByText(/each start prints a new link/)).toBeTruthy();
  expect(screen.queryByLabelText('Name')).toBeNull();
});

it('A51 an address without a whole token asks for nothing', async () => {
  const app = createFakeApp();
  app.draw(<SetUpScreen token="" onDone={() => undefined} />);
  expect(await screen.findByText(/each start prints a new link/)).toBeTruthy();
  expect(app.api.asked).toEqual([]);
});

it('A51 what the server says stands at its field', async () => {
  const { draw, refuse } = open();
  draw();
  await fill();
  refuse(422, { errors: { time_zone: ['This is not a time zone.'] } });
  submit();
  expect(await screen.findByText('This is not a time zone.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Time zone'));
});

it('A51 where people use it at another address, one is led there to sign in', async () => {
  const { draw, onDone } = open({ goesOnAt: 'https://chat.hospital.test' });
  draw();
  await fill();
  submit();
  const link = await screen.findByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('https://chat.hospital.test/sign-in');
  expect(onDone).not.toHaveBeenCalled();
});
