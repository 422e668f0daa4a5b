// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { listParticipants } from '@wardline/contract/chat/chat.ts';
import {
  acknowledgeReport,
  createExamination,
  type EntryInput,
  EXAMINATION_STATES,
  type Examination,
  type ExaminationState,
  getExamination,
  listExaminations,
  listExaminationTemplates,
  listReportVersions,
  moveExamination,
  updateExamination,
} from '@wardline/contract/examinations/examinations.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { type ExaminationEvent, eventTo, transition } from '@wardline/examination/transition.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draftOf } from '#/features/examinations/beginning/begin-payload.ts';
import { ExaminationsPane } from '#/features/examinations/list/examinations-pane.tsx';
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
    const moves = moveOutbox({ store, outbox }, app.call);
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
const signAmendment = async (reason: string) => {
  await press('Sign amendment');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: reason } });
  fireEvent.click(dialog.getByRole('button', { name: 'Sign amendment' }));
};
/** At once, before anything else comes of what drew it. */
const pressWhenShown = (name: string) =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      const shown = screen.queryByRole('button', { name });
      if (!shown) return;
      observer.disconnect();
      shown.click();
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
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

  it('EXAM-2 OFF-1 A48 who was overtaken in a newer version of the form sees each number in the unit that it has', async () => {
    const begun = examinationOf();
    const inUnit = (code: string) => ({
      ...begun.template,
      fields: begun.template.fields.map((field) => ({ ...field, unit: { code, label: code } })),
    });
    const { server, draw } = hospital({ ...begun, template: inUnit('mmol/L') });
    const tab = await draw();
    await type('Potassium', '4.4');
    goOffline();
    await press('Sign report');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign report' }));
    expect(await screen.findByText('Signature waits to be sent.')).toBeTruthy();
    const template = { ...inUnit('mg/dL'), version: 2 };
    server.now = { ...server.now, version: 9, template, entries: [stored('potassium', '17', 9)] };
    goOnline(tab.outbox);
    expect(await screen.findByText('Not signed.')).toBeTruthy();
    await waitFor(() => {
      const difference = screen.getByRole('region', { name: 'What stands now, against what you saw' });
      expect(difference.textContent).toMatch(/4\.4 mmol\/L, within range is now 17 mg\/dL/);
    });
    tab.kill();
  });

  it('CHAT-7 OFF-1 A48 who was overtaken keeps what they signed and why, sees the difference, and signs anew', async () => {
    const report = { state: 'reported', report_version: 1, entries: [stored('potassium', '5.0', 3)] } as const;
    const { server, draw } = hospital(examinationOf(report as never));
    const tab = await draw();
    await press('Amend');
    await type('Potassium', '4.4');
    goOffline();
    await signAmendment('Haemolysed');
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
    // Their value is in the way: it is told at the field, and mine is chosen before it is signed.
    expect(await screen.findByText('Decide first whose value stands: Potassium.')).toBeTruthy();
    expect(server.now.report_version).toBe(2);
    await press('Keep mine: 4.4');
    await press('Sign amendment');
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Haemolysed');
    fireEvent.click(again.getByRole('button', { name: 'Sign amendment' }));
    await waitFor(() => expect(server.now.report_version).toBe(3));
    tab.kill();
  });

  it('CHAT-7 OFF-1 what is done again is sent, and told as such, where the device cannot forget the one before', async () => {
    const entries = [stored('potassium', '5.0', 3)];
    const { server, draw } = hospital(examinationOf({ state: 'reported', report_version: 1, entries } as never));
    const tab = await draw();
    await press('Amend');
    await type('Potassium', '4.4');
    goOffline();
    await signAmendment('Haemolysed');
    expect(await screen.findByText('Amendment waits to be sent.')).toBeTruthy();
    server.now = { ...server.now, state: 'amended', version: 4, report_version: 2 };
    goOnline(tab.outbox);
    expect(await screen.findByText('Not amended.')).toBeTruthy();
    await press('Do it again');
    vi.spyOn(tab.moves.unsent, 'discard').mockRejectedValue(new Error('The disk is full.'));
    await signAmendment('Haemolysed, drawn again');
    await waitFor(() => expect(server.now.report_version).toBe(3));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText(/disk is full|went wrong/)).toBeNull();
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

/** A device of one's own, and a server that begins examinations as the real one does. */
function ward() {
  const memory = createMemoryStore(ana.id);
  const store: DeviceStore = {
    ...memory,
    write: (changes) =>
      memory.write(changes.map((change) => (change.type === 'put-meta' ? { ...change, isCache: false } : change))),
  };
  const form = examinationOf().template;
  const server = {
    made: new Map<string, Examination>(),
    /** What was asked for, by its endpoint. */
    asked: [] as string[],
    /** Of what is begun. */
    refuses: null as (() => Response) | null,
    /** The network goes before the next answer comes. */
    losesAnswer: false,
  };
  const change = (id: string, next: (now: Examination) => Partial<Examination>): Examination => {
    const now = server.made.get(id);
    if (!now) throw new FakeRefusal('not_found');
    const made = { ...now, ...next(now), version: now.version + 1 };
    server.made.set(id, made);
    return made;
  };
  const merge = ({ entries, version }: Examination, given: readonly EntryInput[] = []) => [
    ...entries.filter(({ field }) => !given.some((one) => one.field === field)),
    ...given.map(({ field, value }) => stored(field, value, version + 1, ana)),
  ];
  const openTab = async (isRead = true) => {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    app.api.around = async ({ line }, go) => {
      if (!navigator.onLine) throw new TypeError('Failed to fetch');
      if (line.endsWith('/examinations') && line.startsWith('POST') && server.refuses) return server.refuses();
      const answer = await go();
      if (line.startsWith('POST') && server.losesAnswer) {
        server.losesAnswer = false;
        setOnline(false);
        throw new TypeError('Failed to fetch');
      }
      return answer;
    };
    app.api.on(listExaminationTemplates, () => ({ data: [form], next_cursor: null }));
    app.api.on(listExaminations, () => ({ data: [...server.made.values()], next_cursor: null }));
    app.api.on(listParticipants, () => ({ data: [], next_cursor: null }) as never);
    app.api.on(getExamination, ({ params }) => {
      const found = server.made.get(params.examination);
      if (!found) throw new FakeRefusal('not_found');
      return found;
    });
    app.api.on(createExamination, ({ params, body }) => {
      server.asked.push(`begin version ${body.template_version}`);
      const by = person(ana);
      const place = { id: body.client_id, chatId: params.chat, facility, patient: examinationOf().patient, by, at };
      const made = server.made.get(body.client_id) ?? draftOf(form, place);
      server.made.set(made.id, made);
      return made;
    });
    app.api.on(updateExamination, ({ params, body }) => {
      server.asked.push(`enter ${body.entries?.map(({ field, value }) => `${field} ${value}`).join(', ')}`);
      return change(params.examination, (now) => ({ entries: merge(now, body.entries) }));
    });
    app.api.on(moveExamination, ({ params, body }) => {
      server.asked.push(`move to ${body.to}`);
      if (server.made.get(params.examination)?.version !== body.expected_version) throw new FakeRefusal('conflict');
      return change(params.examination, (now) => ({ state: body.to, entries: merge(now, body.entries) }));
    });
    const outbox = createSharedOutbox({
      ...{ store, userId: ana.id, log: createSilentLog(), firstKind: 'message' },
      ...createFakeTabs(),
    });
    const { beginnings } = moveOutbox({ store, outbox }, app.call);
    if (isRead) await outbox.open();
    const show = (pane: React.ReactNode) => {
      const join = () => ({ leave: () => undefined });
      const page = app.draw(pane, (inner) => (
        <DeviceContext value={{ store, outbox }}>
          <RealtimeContext value={{ join } as never}>{inner}</RealtimeContext>
        </DeviceContext>
      ));
      return page.unmount;
    };
    const place = { facility, chatId: edith.id, chatPath: '/chat' };
    const { patient } = examinationOf();
    const panes = {
      all: <ExaminationsPane {...place} me={ana} patient={patient} />,
      one: (id: string) => (
        <ExaminationPane
          {...{ ...place, urgent: () => null, cite: () => null, pictures: () => null, linked: null }}
          {...{ examinationId: id, myId: ana.id }}
        />
      ),
    };
    return { app, outbox, beginnings, show, panes };
  };
  return { server, store, openTab };
}

type Tab = Awaited<ReturnType<ReturnType<typeof ward>['openTab']>>;

/** Begins one by the list of the chat, and answers its id. */
async function begin({ app: { navigate }, show, panes }: Tab): Promise<string> {
  navigate.mockClear();
  const close = show(panes.all);
  await press('Renal profile');
  await press('Begin');
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  close();
  return String(navigate.mock.lastCall?.[0]?.to).replace('/chat/e-', '');
}

/** The same without a network, by the forms that are known since they were shown; and shows it. */
async function beginOffline(tab: Tab): Promise<{ readonly id: string; readonly close: () => void }> {
  const closeList = tab.show(tab.panes.all);
  await screen.findByRole('button', { name: 'Renal profile' });
  closeList();
  goOffline();
  const id = await begin(tab);
  return { id, close: tab.show(tab.panes.one(id)) };
}

describe('begun offline', () => {
  it('EXAM-1 OFF-1 by a form that the device knows: it outlives a killed tab, and one is on the server with all values', async () => {
    const { server, openTab } = ward();
    const before = await openTab();
    const closeList = before.show(before.panes.all);
    await screen.findByRole('button', { name: 'Renal profile' });
    closeList();
    before.outbox.stop();
    goOffline();
    const first = await openTab();
    const id = await begin(first);
    const close = first.show(first.panes.one(id));
    expect(await screen.findByText('Waiting to be sent.')).toBeTruthy();
    expect(screen.getByText('Edith Maron')).toBeTruthy();
    await type('Potassium', '4.4');
    await type('Sodium', '139');
    expect(screen.queryByRole('button', { name: 'Export as FHIR' })).toBeNull();
    close();
    first.outbox.stop();

    const second = await openTab();
    const closeAgain = second.show(second.panes.all);
    const link = await screen.findByRole('link', { name: /Renal profile.*Waiting to be sent/ });
    expect(link.getAttribute('href')).toBe(`/chat/f-${facility.id}/c-${edith.id}/e-${id}`);
    expect(second.outbox.entries()).toMatchObject([
      { text: { title: 'Renal profile, Edith Maron', text: 'New examination' } },
    ]);
    closeAgain();
    second.show(second.panes.one(id));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Potassium').value).toBe('4.4'));
    expect(server.made.size).toBe(0);
    goOnline(second.outbox);
    await waitFor(() => expect(server.made.get(id)?.entries.map(({ value }) => value)).toEqual(['4.4', '139']));
    await waitFor(() => expect(screen.queryByText('Waiting to be sent.')).toBeNull());
    // The form that is open stores them, once.
    expect(server.asked).toEqual(['begin version 1', 'enter potassium 4.4, sodium 139']);
    expect([...server.made.keys()]).toEqual([id]);
    second.outbox.stop();
  });

  it('EXAM-1 OFF-1 its values follow where no page shows it, and are kept no longer; an answer that is lost makes no second one', async () => {
    const { server, store, openTab } = ward();
    const tab = await openTab();
    const { id, close } = await beginOffline(tab);
    await type('Potassium', '4.4');
    close();
    server.losesAnswer = true;
    goOnline(tab.outbox);
    await waitFor(() => expect(navigator.onLine).toBe(false));
    goOnline(tab.outbox);
    await waitFor(() => expect(tab.beginnings.get()).toEqual([]));
    expect(server.asked).toEqual(['begin version 1', 'begin version 1', 'enter potassium 4.4']);
    expect([...server.made]).toMatchObject([[id, { version: 2, entries: [{ value: '4.4' }] }]]);
    expect(await store.meta(`examination/${id}`)).toBeUndefined();
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 what is typed after it was started follows the start, and overtakes nothing', async () => {
    const { server, store, openTab } = ward();
    const tab = await openTab();
    const { id, close } = await beginOffline(tab);
    await press('Request');
    await press('Start');
    await screen.findByRole('button', { name: 'Sign report' });
    await type('Potassium', '4.4');
    close();
    goOnline(tab.outbox);
    await waitFor(() => expect(server.made.get(id)).toMatchObject({ state: 'in_progress', version: 4 }));
    expect(server.asked).toEqual([
      ...['begin version 1', 'move to requested', 'move to in_progress', 'enter potassium 4.4'],
    ]);
    await waitFor(() => expect(tab.outbox.entries()).toEqual([]));
    expect(await store.meta(`examination/${id}`)).toBeUndefined();
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 the next step that is pressed the moment it is shown is done, and none is shown that takes no press', async () => {
    const { server, openTab } = ward();
    const tab = await openTab();
    const { id } = await beginOffline(tab);
    await screen.findByRole('button', { name: 'Request' });
    const pressed = pressWhenShown('Start');
    await press('Request');
    await pressed;
    expect(await screen.findByRole('button', { name: 'Sign report' })).toBeTruthy();
    goOnline(tab.outbox);
    await waitFor(() => expect(server.made.get(id)).toMatchObject({ state: 'in_progress' }));
    expect(server.asked).toEqual(['begin version 1', 'move to requested', 'move to in_progress']);
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 what is typed while a request is being kept stays typed, and is stored once it is started', async () => {
    const { server, store, openTab } = ward();
    const tab = await openTab();
    const { id } = await beginOffline(tab);
    await type('Potassium', '4.4');
    const { addOutbox } = store;
    let keep: (() => void) | undefined;
    vi.spyOn(store, 'addOutbox').mockImplementationOnce(async (row) => {
      await new Promise<void>((resolve) => {
        keep = resolve;
      });
      return addOutbox(row);
    });
    await press('Request');
    await waitFor(() => expect(keep).toBeDefined());
    await type('Sodium', '140');
    await type('Potassium', '4.5');
    keep?.();
    await press('Start');
    expect((await screen.findByLabelText<HTMLInputElement>('Sodium')).value).toBe('140');
    expect(screen.getByLabelText<HTMLInputElement>('Potassium').value).toBe('4.5');
    goOnline(tab.outbox);
    await waitFor(() => expect(server.asked.at(-1)).toBe('enter potassium 4.5, sodium 140'));
    await waitFor(() => expect(server.made.get(id)?.entries.map(({ value }) => value)).toEqual(['4.5', '140']));
    expect(server.asked).toEqual([
      ...['begin version 1', 'move to requested', 'move to in_progress', 'enter potassium 4.5, sodium 140'],
    ]);
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 what went with a request that waits is shown as it will stand, and is sent once', async () => {
    const { server, openTab } = ward();
    const tab = await openTab();
    const { id } = await beginOffline(tab);
    await type('Potassium', '4.4');
    await press('Request');
    await screen.findByRole('button', { name: 'Start' });
    expect(screen.getByRole('row', { name: /Potassium/ }).textContent).toMatch(/4\.4.*Within range/);
    await press('Start');
    expect((await screen.findByLabelText<HTMLInputElement>('Potassium')).value).toBe('4.4');
    await type('Potassium', '4.5');
    expect(screen.queryByText(/entered 4\.4/)).toBeNull();
    goOnline(tab.outbox);
    await waitFor(() => expect(server.asked.at(-1)).toBe('enter potassium 4.5'));
    await waitFor(() => expect(server.made.get(id)?.entries).toMatchObject([{ value: '4.5' }]));
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 while the server does not answer, what is pressed waits behind it, and nobody asks for what is not there', async () => {
    const { server, openTab } = ward();
    const tab = await openTab();
    server.refuses = () => Response.json({ message: 'Down.' }, { status: 503 });
    const id = await begin(tab);
    tab.show(tab.panes.one(id));
    await press('Request');
    await press('Start');
    expect(await screen.findByText('Start waits to be sent.')).toBeTruthy();
    expect(screen.queryByText('Request waits to be sent.')).toBeNull();
    expect(server.asked).toEqual([]);
    expect(tab.app.api.asked.filter((line) => line.startsWith(`GET /api/examinations/${id}`))).toEqual([]);
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 a page that asked for it before the device had said what waits shows it then', async () => {
    const { server, openTab } = ward();
    const first = await openTab();
    server.refuses = () => Response.json({ message: 'Down.' }, { status: 503 });
    const id = await begin(first);
    first.outbox.stop();
    const second = await openTab(false);
    second.show(second.panes.one(id));
    expect(await screen.findByText('You don’t have access to this examination')).toBeTruthy();
    await act(() => second.outbox.open());
    expect(await screen.findByText('Waiting to be sent.')).toBeTruthy();
    second.outbox.stop();
  });

  it('EXAM-1 OFF-1 what was pressed after it waits for it: refused, it says why and keeps what was typed, and is sent again', async () => {
    const { server, openTab } = ward();
    const tab = await openTab();
    const { id } = await beginOffline(tab);
    await press('Request');
    await press('Start');
    await type('Potassium', '4.4');
    const gone = { message: 'Check what you entered.', errors: { template_id: ['This form is not there.'] } };
    server.refuses = () => Response.json(gone, { status: 422 });
    goOnline(tab.outbox);
    expect(await screen.findByText('Not begun.')).toBeTruthy();
    expect(screen.getByText(/This form is not in use any more\..*What you typed is still here\./)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Potassium').value).toBe('4.4');
    expect(screen.queryByRole('button', { name: 'Sign report' })).toBeNull();
    expect(server.asked).toEqual([]);
    server.refuses = null;
    await press('Send again');
    await waitFor(() => expect(server.made.get(id)).toMatchObject({ state: 'in_progress' }));
    await waitFor(() => expect(server.made.get(id)?.entries).toMatchObject([{ value: '4.4' }]));
    expect(server.asked).toEqual([
      ...['begin version 1', 'move to requested', 'move to in_progress', 'enter potassium 4.4'],
    ]);
    expect(await screen.findByRole('button', { name: 'Sign report' })).toBeTruthy();
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 CHAT-6 who is taken out of the chat meanwhile keeps nothing of what was typed, and is told what was not begun', async () => {
    const { server, store, openTab } = ward();
    const tab = await openTab();
    const { id, close } = await beginOffline(tab);
    await type('Potassium', '4.4');
    await waitFor(async () => expect(await store.meta(`examination/${id}`)).toBeTruthy());
    close();
    server.refuses = () => Response.json({ message: 'No.', code: 'not_found' }, { status: 404 });
    await store.write([{ type: 'wipe-chat', chatId: edith.id }]);
    goOnline(tab.outbox);
    await waitFor(() => expect(tab.outbox.entries()).toMatchObject([{ state: 'failed' }]));
    const reason = 'You are no longer in this chat. Ask somebody who is, then discard it.';
    expect(tab.outbox.entries()).toMatchObject([{ reason, text: { title: 'Renal profile, Edith Maron' } }]);
    expect(await store.meta(`examination/${id}`)).toBeUndefined();
    tab.outbox.stop();
  });

  it('EXAM-1 OFF-1 one that is discarded is gone with what was typed and pressed', async () => {
    const { server, store, openTab } = ward();
    const tab = await openTab();
    const { id } = await beginOffline(tab);
    await press('Request');
    await press('Start');
    await screen.findByRole('button', { name: 'Sign report' });
    await type('Potassium', '4.4');
    await waitFor(async () => expect(await store.meta(`examination/${id}`)).toBeTruthy());
    server.refuses = () => Response.json({ message: 'No.', code: 'forbidden' }, { status: 403 });
    goOnline(tab.outbox);
    expect(await screen.findByText(/You can’t begin examinations in this chat any more/)).toBeTruthy();
    await press('Discard');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(tab.app.navigate).toHaveBeenCalledWith({ to: '/chat/examinations' }));
    expect(tab.outbox.entries()).toEqual([]);
    await waitFor(async () => expect(await store.meta(`examination/${id}`)).toBeUndefined());
    tab.outbox.stop();
  });
});
