// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { listPresence, type Presence, setPresence } from '@wardline/contract/facilities/presence.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, leila, mira, stBrigid } from '#/testing/fake-chats.ts';
import { endChoices } from './duty-choices.ts';
import { DutyDialog } from './duty-dialog.tsx';
import { formatPresence } from './format-presence.ts';
import { PersonPresence } from './presence-mark.tsx';

afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
});

const NOW = Date.parse('2026-11-24T12:00:00Z');
const at = (hours: number, from = NOW) => new Date(from + hours * 3_600_000).toISOString();
const nothing: Presence = { user_id: ana.id, shift_until: null, on_duty_until: null, busy: null, last_seen: null };
const clock = { zone: 'Europe/Dublin', now: NOW };

it.each<[Partial<Presence>, string]>([
  [{ shift_until: at(8) }, 'On duty until 20:00'],
  [{ on_duty_until: at(20) }, 'On duty until Wed 25 Nov, 08:00'],
  [{ shift_until: at(8), busy: { until: at(2.5), reason: 'in_theatre' } }, 'Busy until 14:30, in theatre'],
  [{ busy: { until: at(0.5), reason: null }, last_seen: 'now' }, 'Busy until 12:30'],
  [{ last_seen: 'yesterday' }, 'Off duty, seen yesterday'],
  [{ last_seen: 'hour' }, 'Off duty, seen in the last hour'],
  [{ on_duty_until: at(-1), busy: { until: at(-1), reason: 'ward_round' } }, 'Off duty'],
])('CHAT-12 says %o as “%s”', (known, text) => {
  expect(formatPresence({ ...nothing, ...known }, clock)).toBe(text);
});

it('CHAT-12 offers ends within a day, that of the shift among them, and none that has passed', () => {
  const labels = (state: 'busy' | 'on_duty', known: Partial<Presence>) =>
    endChoices(state, { ...nothing, ...known }, clock).map(({ label }) => label);
  expect(labels('busy', { shift_until: at(8) })).toEqual([
    ...['12:30, 30 minutes', '13:00, 1 hour', '14:00, 2 hours', '16:00, 4 hours', '20:00, end of your duty'],
  ]);
  expect(labels('on_duty', { on_duty_until: at(-1) })[0]).toBe('16:00, 4 hours');
  expect(labels('on_duty', { shift_until: at(30) })).toHaveLength(4);
});

describe('one’s own duty', () => {
  function open(own: Partial<Presence> = {}) {
    const app = createFakeApp();
    const sent: unknown[] = [];
    const state = { own: { ...nothing, ...own } };
    app.api.on(listPresence, () => ({ data: [state.own] }));
    app.api.on(setPresence, ({ body }) => {
      sent.push(body);
      return { ...state.own, ...body };
    });
    const overlay = { isOpen: true, dismiss: vi.fn(), close: vi.fn(), afterLeave: vi.fn() };
    app.draw(<DutyDialog facilities={[stBrigid]} myId={ana.id} overlay={overlay} />);
    return { sent, overlay };
  }
  const choose = async (name: RegExp) => fireEvent.click(await screen.findByRole('radio', { name }));
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

  it('CHAT-12 says that one is busy, for how long and why, and stays on duty by one’s own word behind it', async () => {
    const until = at(6, Date.now());
    const { sent, overlay } = open({ on_duty_until: until });
    await choose(/^Busy/);
    fireEvent.change(screen.getByLabelText('Reason (optional)'), { target: { value: 'ward_round' } });
    save();
    await waitFor(() => expect(overlay.dismiss).toHaveBeenCalledOnce());
    expect(sent).toEqual([{ on_duty_until: until, busy: { until: expect.any(String), reason: 'ward_round' } }]);
  });

  it('CHAT-12 whoever holds an on-call role hands it over and is not off duty, and says nothing about its end', async () => {
    const { sent } = open({ shift_until: at(3, Date.now()), busy: { until: at(1, Date.now()), reason: null } });
    await choose(/^On duty/);
    expect(screen.getByRole('radio', { name: /Off duty/ })).toHaveProperty('disabled', true);
    expect(screen.getByText(/You’re on call until .* Hand over first/)).toBeTruthy();
    save();
    await waitFor(() => expect(sent).toEqual([{ on_duty_until: null, busy: null }]));
  });

  it('CHAT-12 takes back what one said, and is refused in words without a network', async () => {
    const { sent } = open({ on_duty_until: at(6, Date.now()) });
    await choose(/^Off duty/);
    act(() => setOnline(false));
    expect(screen.getByText(/You’re offline. This can’t be changed now/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    act(() => setOnline(true));
    save();
    await waitFor(() => expect(sent).toEqual([{ on_duty_until: null, busy: null }]));
  });
});

it('CHAT-12 takes what somebody says of themselves from the event and asks nobody; of others it changes nothing', async () => {
  const app = createFakeApp();
  const asked = vi.fn();
  app.api.on(listPresence, () => {
    asked();
    return { data: [{ ...nothing, user_id: mira.id }] };
  });
  let told: ((payload: unknown) => void) | undefined;
  const join = (_channel: unknown, _id: string, { events }: { events: { PresenceChanged: typeof told } }) => {
    told = events.PresenceChanged;
    return { leave: () => undefined };
  };
  app.draw(
    <RealtimeContext value={{ join } as never}>
      <PersonPresence facilityId={stBrigid.id} userId={mira.id} zone="UTC" />
    </RealtimeContext>,
  );
  await screen.findByText('Off duty');
  const busy = { until: at(1, Date.now()), reason: 'in_theatre' };
  await act(async () => {
    told?.({ facility_id: stBrigid.id, user_id: leila.id, on_duty_until: null, busy });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  expect(screen.queryByText(/Busy/)).toBeNull();
  act(() => told?.({ facility_id: stBrigid.id, user_id: mira.id, on_duty_until: null, busy }));
  expect(await screen.findByText(/Busy until .*, in theatre/)).toBeTruthy();
  expect(asked).toHaveBeenCalledOnce();
});
