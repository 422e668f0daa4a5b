// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { listParticipants } from '@wardline/contract/chat/chat.ts';
import {
  acknowledgeReport,
  EXAMINATION_STATES,
  type Examination,
  type ExaminationState,
  getExamination,
  listExaminations,
  listReportVersions,
  moveExamination,
} from '@wardline/contract/examinations/examinations.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { type ExaminationEvent, eventTo, transition } from '@wardline/examination/transition.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExaminationPane } from '#/features/examinations/panel/examination-pane.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, mira, stBrigid } from '#/testing/fake-chats.ts';
import { laneOf, moveOutbox } from './move-outbox.ts';
import type { MovePayload } from './move-payload.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

const facility = { ...stBrigid, permissions: ['examinations.write', 'examinations.sign'] };
const ID = '019ff2c9-0000-7000-8000-000000000005';
const OTHER = '019ff2c9-0000-7000-8000-000000000006';
const at = '2026-11-20T00:10:00.000Z';
const person = (who: typeof ana) => ({ user_id: who.id, name: who.name });
const stored = (field: string, value: string, version: number, by = mira) => ({
  ...{ field, value, interpretation: null, comparison: null, by: person(by), at, version },
});

function examinationOf(change: Partial<Examination> = {}): Examination {
  return {
    ...{ id: ID, chat_id: edith.id, facility_id: facility.id, type: 'laboratory', title: 'Renal profile' },
    ...{ state: 'in_progress', version: 3, report_version: 0, critical: [], must_acknowledge: false, updated_at: at },
    template: {
      ...{ id: ID, version: 1, type: 'laboratory', name: 'Renal profile' },
      fields: [
        {
          ...{ code: 'potassium', label: 'Potassium', kind: 'quantity', part: 'finding' },
          ranges: [{ low: '3.5', high: '5.3', critical_high: '6.5' }],
        },
        { code: 'sodium', label: 'Sodium', kind: 'quantity', part: 'finding' },
      ],
    },
    patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14', bed: null },
    ...{ patient_sex: null, created: { by: person(mira), at }, requested: { by: person(mira), at }, reason: null },
    entries: [],
    my: { can_write: true, can_sign: true, can_mark_in_error: true, read_version: 0, acknowledged_version: 0 },
    ...change,
  };
}

/** A server that moves as the real one does and knows a press again, and one device whose tab can be killed. */
function hospital(first: Examination) {
  const store = createMemoryStore(ana.id);
  const server = { now: first, asked: [] as Record<string, unknown>[], made: new Map<string, number>() };
  const refusal = (message: string) => Response.json({ message, code: 'conflict' }, { status: 409 });
  const openTab = () => {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    const conflict = { message: null as string | null };
    app.api.around = async ({ line }, go) => {
      if (!navigator.onLine) throw new TypeError('Failed to fetch');
      const answer = await go();
      if (!navigator.onLine) throw new TypeError('Failed to fetch');
      if (!line.startsWith('POST')) return answer;
      const { message } = conflict;
      conflict.message = null;
      return message === null ? answer : refusal(message);
    };
    app.api.on(getExamination, () => server.now);
    app.api.on(listExaminations, () => ({ data: [server.now], next_cursor: null }));
    app.api.on(listReportVersions, () => ({ data: [], next_cursor: null }));
    app.api.on(listParticipants, () => ({ data: [], next_cursor: null }) as never);
    app.api.on(
      listOnCallRoles,
      () =>
        ({
          data: [
            {
              ...{ id: ID, name: 'Medical registrar', unit: null, phone: '4411', version: 1, next: null },
              now: null,
            },
          ],
          next_cursor: null,
        }) as never,
    );
    app.api.on(acknowledgeReport, ({ body }) => {
      server.asked.push(body);
      return { read_version: body.version, acknowledged_version: body.version };
    });
    app.api.on(moveExamination, ({ body }) => {
      server.asked.push(body);
      const { client_id: id = '', to, expected_version: expectedVersion, after, reason = null } = body;
      if (server.made.has(id)) return server.now;
      const { state, version, report_version: reportVersion } = server.now;
      const event = eventTo(state, to);
      const change = event && transition({ state, version, reportVersion }, { event, expectedVersion, reason });
      const follows = !after || server.made.get(after) === expectedVersion;
      if (change?.kind !== 'changed' || !follows) {
        conflict.message = follows
          ? 'Dr. Mira Okafor amended the report meanwhile.'
          : 'The step before this one was not done.';
        return server.now;
      }
      const given = (body.entries ?? []).map(({ field, value }) => stored(field, value, version + 1, ana));
      const others = server.now.entries.filter(({ field }) => !given.some((one) => one.field === field));
      const { next } = change;
      server.made.set(id, next.version);
      server.now = {
        ...{ ...server.now, state: next.state, version: next.version, report_version: next.reportVersion },
        entries: [...others, ...given],
      };
      return server.now;
    });
    const log = createSilentLog();
    const outbox = createSharedOutbox({ store, userId: ana.id, log, firstKind: 'message', ...createFakeTabs() });
    const moves = moveOutbox(outbox, app.call);
    return { app, outbox, moves };
  };
  const draw = async () => {
    const { app, outbox, moves } = openTab();
    await outbox.open();
    const join = () => ({ leave: () => undefined });
    const none = () => null;
    const pane = (
      <ExaminationPane
        {...{ facility, urgent: none, cite: none, pictures: none, linked: null }}
        {...{ chatId: edith.id, examinationId: ID, myId: ana.id, chatPath: '/chat' }}
      />
    );
    const page = app.draw(pane, (inner) => (
      <DeviceContext value={{ store, outbox }}>
        <RealtimeContext value={{ join } as never}>{inner}</RealtimeContext>
      </DeviceContext>
    ));
    const kill = () => {
      page.unmount();
      outbox.stop();
    };
    return { outbox, moves, kill };
  };
  return { server, openTab, draw };
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const goOffline = () => act(() => setOnline(false));
const goOnline = (outbox: { flush: () => void }) =>
  act(() => {
    setOnline(true);
    outbox.flush();
  });

const TARGETS: Readonly<Record<ExaminationEvent, ExaminationState>> = {
  ...{ request: 'requested', start: 'in_progress', return: 'requested', sign: 'reported', amend: 'amended' },
  ...{ cancel: 'cancelled', mark_in_error: 'entered_in_error' },
};
const pairs = EXAMINATION_STATES.flatMap((state) =>
  (Object.keys(TARGETS) as ExaminationEvent[]).map((event) => [state, event] as const),
);

describe('a move that was kept', () => {
  it.each(pairs)(
    'CHAT-7 OFF-1 arrives at one that is %s by now: “%s” is done once, or set aside with why',
    async (state, event) => {
      const change = transition({ state, version: 3, reportVersion: 1 }, { event, expectedVersion: 3, reason: 'x' });
      // The events have one target each, and two of them share theirs: from other states it is the other one.
      const isDone = change.kind === 'changed' || eventTo(state, TARGETS[event]) !== null;
      const { server, openTab } = hospital(examinationOf({ state, report_version: 1 }));
      const { outbox, moves } = openTab();
      await outbox.open();
      const payload: MovePayload = {
        ...{ seen: examinationOf(), event, to: TARGETS[event], expectedVersion: 3, after: null, reason: 'x' },
        ...{ typed: {}, critical: null, unalerted: [], numbers: [] },
      };
      await moves.unsent.add({ clientId: ID, lane: laneOf(ID), payload, writtenAt: at });
      await waitFor(() => expect(server.asked).toHaveLength(1));
      await waitFor(() => expect(moves.unsent.get().map((item) => item.state)).toEqual(isDone ? [] : ['failed']));
      expect(server.now.version).toBe(isDone ? 4 : 3);
      const [entry] = outbox.entries();
      if (isDone) return expect(moves.delivered.get()).toMatchObject({ id: ID, examination: { version: 4 } });
      expect(entry).toMatchObject({
        text: { title: 'Renal profile, Edith Maron', href: `/chat/f-${facility.id}/c-${edith.id}/e-${ID}` },
        reason: 'Dr. Mira Okafor amended the report meanwhile. See what changed, then do it again or discard it.',
      });
    },
  );
});

describe('offline', () => {
  it('CHAT-7 OFF-1 a signature is kept through a killed tab, shown with its age, and sent once', async () => {
    const { server, draw } = hospital(examinationOf());
    const first = await draw();
    await type('Potassium', '4.4');
    goOffline();
    await press('Sign report');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign report' }));
    expect(await screen.findByText('Signature waits to be sent.')).toBeTruthy();
    expect(screen.getByText(/Pressed just now on this device/)).toBeTruthy();
    expect(screen.queryByLabelText('Potassium')).toBeNull();
    expect(server.asked).toEqual([]);
    first.kill();

    const second = await draw();
    expect(await screen.findByText('Signature waits to be sent.')).toBeTruthy();
    expect(screen.getByRole('row', { name: /Potassium/ }).textContent).toMatch(/4\.4.*Within range/);
    goOnline(second.outbox);
    await waitFor(() => expect(server.now).toMatchObject({ state: 'reported', version: 4 }));
    await waitFor(() => expect(screen.queryByText('Signature waits to be sent.')).toBeNull());
    expect(server.asked).toMatchObject([{ to: 'reported', expected_version: 3, entries: [{ value: '4.4' }] }]);
    expect(server.asked).toHaveLength(1);
    second.kill();
  });

  it('CHAT-7 OFF-1 an answer that is lost is asked for again by the same press, and it is signed once', async () => {
    const { server, draw } = hospital(examinationOf({ entries: [stored('sodium', '140', 2)] }));
    const tab = await draw();
    await screen.findByLabelText('Sodium');
    // The server has it, and the network goes before its answer comes.
    const made = vi.spyOn(server.made, 'set').mockImplementationOnce((id, version) => {
      setOnline(false);
      return Map.prototype.set.call(server.made, id, version) as never;
    });
    await press('Sign report');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign report' }));
    await waitFor(() => expect(made).toHaveBeenCalled());
    await waitFor(() => expect(server.now.version).toBe(4));
    goOnline(tab.outbox);
    await waitFor(() => expect(tab.moves.unsent.get()).toEqual([]));
    expect(new Set(server.asked.map(({ client_id }) => client_id)).size).toBe(1);
    expect(server.now).toMatchObject({ version: 4, report_version: 1 });
    tab.kill();
  });

  it('CHAT-7 OFF-1 A48 who was overtaken keeps what they signed and why, sees the difference, and signs anew', async () => {
    const report = { state: 'reported', report_version: 1, entries: [stored('potassium', '5.0', 3)] } as const;
    const { server, draw } = hospital(examinationOf(report as never));
    const tab = await draw();
    await press('Amend');
    await type('Potassium', '4.4');
    goOffline();
    await press('Sign amendment');
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Haemolysed' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Sign amendment' }));
    expect(await screen.findByText('Amendment waits to be sent.')).toBeTruthy();
    // A colleague amends it meanwhile.
    server.now = {
      ...{ ...server.now, state: 'amended', version: 4, report_version: 2 },
      entries: [stored('potassium', '5.9', 4)],
    };
    goOnline(tab.outbox);
    expect(await screen.findByText('Not amended.')).toBeTruthy();
    expect(screen.getByText(/Mira Okafor amended the report meanwhile/)).toBeTruthy();
    expect(screen.getByText(/Your reason: Haemolysed/)).toBeTruthy();
    await waitFor(() => {
      const difference = screen.getByRole('region', { name: 'What stands now, against what you saw' });
      expect(difference.textContent).toMatch(/4\.4, within range is now 5\.9/);
    });
    expect(server.now.report_version).toBe(2);
    await press('Do it again');
    expect((await screen.findByLabelText<HTMLInputElement>('Potassium')).value).toBe('4.4');
    await press('Sign amendment');
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Haemolysed');
    fireEvent.click(again.getByRole('button', { name: 'Sign amendment' }));
    // Their value is in the way: it is told at the field, and mine is chosen before it is signed.
    expect(await screen.findAllByText(/entered 5\.9/)).not.toHaveLength(0);
    expect(server.now.report_version).toBe(2);
    tab.kill();
  });

  it('CHAT-7 OFF-1 goes on from a request to the start, and both are sent in their order', async () => {
    const { server, draw } = hospital(examinationOf({ state: 'draft', version: 1 }));
    const tab = await draw();
    await screen.findByRole('button', { name: 'Request' });
    goOffline();
    await press('Request');
    await press('Start');
    expect(await screen.findByText('Start waits to be sent.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Sign report' })).toBeTruthy();
    goOnline(tab.outbox);
    await waitFor(() => expect(server.now).toMatchObject({ state: 'in_progress', version: 3 }));
    const [request, start] = server.asked;
    expect(server.asked).toMatchObject([{ to: 'requested', expected_version: 1 }, { expected_version: 2 }]);
    expect(start?.['after']).toBe(request?.['client_id']);
    await waitFor(() => expect(screen.queryByText(/waits to be sent/)).toBeNull());
    tab.kill();
  });

  it('EXAM-5 OFF-1 a critical value that waits says that nobody was alerted, and whom to call', async () => {
    const { server, draw } = hospital(examinationOf());
    const tab = await draw();
    await type('Potassium', '6.8');
    await act(async () => undefined);
    await waitFor(() => expect(screen.getAllByText(/Critically high/).length).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 50));
    goOffline();
    await press('Sign report');
    const dialog = within(await screen.findByRole('dialog', { name: /critical result/ }));
    expect(dialog.getByText('You’re offline. Nobody is alerted until this is sent.')).toBeTruthy();
    expect(dialog.getByRole('link', { name: '4411' }).getAttribute('href')).toBe('tel:4411');
    fireEvent.click(dialog.getByRole('radio', { name: /No alert/ }));
    fireEvent.change(dialog.getByLabelText('Why does nobody need to be called?'), {
      target: { value: 'Told Dr. Ryan' },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Sign without alert' }));
    expect(await screen.findByText('Signature waits to be sent.')).toBeTruthy();
    expect(screen.queryByText('Nobody has been alerted yet.')).toBeNull();
    const [item] = tab.moves.unsent.get();
    expect(item?.payload.critical).toEqual({ kind: 'none', reason: 'Told Dr. Ryan' });
    await act(async () => {
      await tab.moves.unsent.discard(item?.clientId ?? '');
      const alert = { unalerted: ['Potassium 6.8, HH'], numbers: [{ name: 'Medical registrar', phone: '4411' }] };
      if (item) await tab.moves.unsent.add({ ...item, clientId: OTHER, payload: { ...item.payload, ...alert } });
    });
    expect(await screen.findByText('Nobody has been alerted yet.')).toBeTruthy();
    expect(screen.getByRole('link', { name: '4411' })).toBeTruthy();
    expect(tab.outbox.entries()[0]?.text?.text).toContain('Nobody has been alerted yet: Potassium 6.8, HH');
    expect(server.asked.filter((body) => 'to' in body)).toEqual([]);
    tab.kill();
  });

  it('CHAT-7 OFF-1 what waits can be taken back, and what was typed is in the form again', async () => {
    const { server, draw } = hospital(examinationOf());
    const tab = await draw();
    await screen.findByLabelText('Potassium');
    goOffline();
    await type('Potassium', '4.4');
    await press('Sign report');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign report' }));
    await press('Take back');
    expect((await screen.findByLabelText<HTMLInputElement>('Potassium')).value).toBe('4.4');
    expect(tab.moves.unsent.get()).toEqual([]);
    expect(server.asked).toEqual([]);
    tab.kill();
  });
});
