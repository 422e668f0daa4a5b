// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { listParticipants } from '@wardline/contract/chat/chat.ts';
import {
  correctHandover,
  getHandover,
  giveHandover,
  type Handover,
  type HandoverSuggestion,
  type HandoverVersion,
  listHandoverSuggestions,
  listHandovers,
  listWaitingHandovers,
  moveHandover,
  noteHandoverPrint,
  setHandoverAction,
  type WaitingHandover,
} from '@wardline/contract/examinations/handovers.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HandoverAct } from '#/features/handovers/handover-act.tsx';
import { HandoversWaiting } from '#/features/handovers/handovers-waiting.tsx';
import { HandoverPane } from '#/features/handovers/panel/handover-pane.tsx';
import { NewHandover } from '#/features/handovers/writing/new-handover.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, leila, mira, stBrigid } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

const uuid = (number: number) => `019ff2c9-0000-7000-8000-00000000000${number}`;
const at = '2026-11-20T00:10:00.000Z';
const patient = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14', bed: '3A-12' };
const signer = ({ id: user_id, name, title }: typeof ana) => ({ user_id, name, title });
const PIN: HandoverSuggestion = {
  ...{ kind: 'pin', text: 'Allergic to penicillin' },
  source: { kind: 'message', id: uuid(7), seq: 4, label: 'Leila Haddad', at },
};
const RESULT: HandoverSuggestion = {
  ...{ kind: 'result', text: 'Renal profile: Potassium 6.8 mmol/L (critically high)' },
  source: { kind: 'examination', id: uuid(8), seq: null, label: 'Renal profile', at },
};
const SAID: HandoverSuggestion = {
  ...PIN,
  kind: 'message',
  text: 'Daughter comes at 8',
  source: { ...PIN.source, id: uuid(9) },
};

function versionOf(change: Partial<HandoverVersion> = {}): HandoverVersion {
  return {
    ...{ version: 1, format: 'ipass', severity: 'watcher', patient, hands_over_chat: false, reason: null, role: null },
    lines: [
      { section: 'summary', text: PIN.text, source: PIN.source, is_quoted: true },
      { section: 'awareness', text: 'If she drops: call', source: null, is_quoted: false },
    ],
    actions: [{ id: uuid(4), text: 'Repeat lactate', owner: 'Night SHO', due_at: '2026-11-20T02:00:00.000Z' }],
    ...{ to: signer(mira), given: { by: signer(ana), at }, sha256: 'ab12', receipt: null },
    ...change,
  };
}
function handoverOf(change: Partial<Handover> = {}): Handover {
  return {
    ...{ id: uuid(5), chat_id: edith.id, facility_id: stBrigid.id, format: 'ipass', state: 'given', version: 1 },
    ...{ sheet_version: 1, severity: 'watcher', from: ana.name, to: mira.name, role: null, given_at: at },
    ...{ actions: 1, open_actions: 1, versions: [versionOf()], done: [], ended: null },
    my: { can_receive: false, can_withdraw: false, can_correct: false, can_tick: false, can_manage: true },
    ...change,
  };
}
const ASKS = { can_receive: true, can_withdraw: false, can_correct: false, can_tick: false, can_manage: false };
const GIVES = { can_receive: false, can_withdraw: true, can_correct: true, can_tick: false, can_manage: true };

/** A server with one hand-over and what its chat says, and what was asked of it. */
function open(first: Handover = handoverOf(), { store = createMemoryStore(ana.id), canManage = true } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { now: first, suggestions: [RESULT, PIN, SAID], waiting: [] as WaitingHandover[] };
  const asked: unknown[] = [];
  const note = (body: unknown) => {
    asked.push(body);
    return server.now;
  };
  const { api } = app;
  api.on(getHandover, () => server.now);
  api.on(listHandovers, () => ({ data: [server.now], next_cursor: null }));
  api.on(listHandoverSuggestions, () => ({ patient, suggestions: server.suggestions, can_manage: canManage }));
  api.on(listWaitingHandovers, () => ({ data: server.waiting, next_cursor: null }));
  api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
  api.on(listMembers, () => ({ data: [], next_cursor: null }));
  api.on(listParticipants, () => ({
    data: [ana, mira, leila].map((who) => ({
      ...signer(who),
      access: 'write' as const,
      delivered_seq: 0,
      read_seq: 0,
    })),
    next_cursor: null,
  }));
  api.on(giveHandover, ({ body }) => note(body));
  api.on(correctHandover, ({ body }) => note(body));
  api.on(moveHandover, ({ body }) => {
    const state = ({ receive: 'received', decline: 'declined', withdraw: 'withdrawn' } as const)[body.event];
    server.now = { ...server.now, state, version: 2 };
    return note(body);
  });
  api.on(setHandoverAction, ({ body }) => {
    const done = [{ action_id: uuid(4), by: signer(leila), at }];
    server.now = { ...server.now, done: body.is_done ? done : [] };
    return note(body);
  });
  const heard: Record<string, (event: object) => void> = {};
  const join = (_channel: unknown, _id: string, on: { events?: Record<string, (event: object) => void> }) => {
    Object.assign(heard, on.events);
    return { leave: () => undefined };
  };
  const around = (page: React.ReactNode) => (
    <DeviceContext value={{ store, outbox: null as never }}>
      <RealtimeContext value={{ join } as never}>{page}</RealtimeContext>
    </DeviceContext>
  );
  const place = { facility: stBrigid, chatId: edith.id, myId: ana.id, chatPath: '/chat' };
  return {
    ...{ app, asked, server, heard, store },
    write: () => app.draw(<NewHandover {...place} />, around),
    show: () => app.draw(<HandoverPane {...place} handoverId={first.id} />, around),
    draw: (what: React.ReactNode) => app.draw(what, around),
  };
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => {
  fireEvent.keyDown(await screen.findByRole('button', { name: 'Print or export' }), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('menuitem', { name }));
};
const part = (name: string) => screen.findByRole('region', { name });
const linesOf = async (name: string) =>
  within(await part(name))
    .queryAllByRole<HTMLTextAreaElement>('textbox')
    .map(({ value }) => value);
const type = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });
const confirmDialog = async (button: string) => {
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
};
async function fill(): Promise<void> {
  fireEvent.click(await screen.findByRole('radio', { name: 'Unstable' }));
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(2));
  type(screen.getByLabelText('Hand over to'), `user:${mira.id}`);
}

describe('writing a sheet', () => {
  it('HAND-1 begins with what the chat says, each line with the way to where it stands, of the patient by two identifiers', async () => {
    open().write();
    expect(await linesOf('Patient summary')).toEqual([RESULT.text, PIN.text]);
    const summary = await part('Patient summary');
    const links = within(summary).getAllByRole<HTMLAnchorElement>('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([`/chat/e-${uuid(8)}`, '/chat?message=4']);
    const whose = screen.getByText('MRN 40-118-236').parentElement;
    expect(whose?.textContent).toBe('MRN 40-118-236 · born 14 Mar 1948 · bed 3A-12');
    // What was only said last is offered, and in nobody's name.
    expect(screen.getByRole('button', { name: 'Add: Daughter comes at 8' })).toBeTruthy();
  });

  it('HAND-1 a line is taken out, another taken in, and one that is edited is its writer’s own words', async () => {
    open().write();
    await press(`Remove: ${PIN.text}`);
    await press('Add: Daughter comes at 8');
    expect(await linesOf('Patient summary')).toEqual([RESULT.text, SAID.text]);
    expect(screen.queryByText('· edited')).toBeNull();
    const [first] = within(await part('Patient summary')).getAllByRole('textbox');
    type(first as HTMLElement, 'Potassium is high');
    expect(screen.getByText('· edited')).toBeTruthy();
  });

  it('HAND-1 signs what stands there: quoted lines with their source, actions with owner and time', async () => {
    const { app, asked, write } = open();
    write();
    await fill();
    await press('Add an action');
    type(screen.getByLabelText('What'), 'Repeat lactate');
    type(screen.getByLabelText('Who'), 'Night SHO');
    type(screen.getByLabelText('When'), '2026-11-20T02:00');
    fireEvent.click(screen.getByRole('checkbox', { name: /Hand over the chat as well/ }));
    await press('Sign and hand over');
    await confirmDialog('Sign and hand over');
    await waitFor(() => expect(app.navigate).toHaveBeenCalledWith({ to: `/chat/h-${uuid(5)}` }));
    expect(asked).toMatchObject([
      {
        sheet: {
          ...{ format: 'ipass', severity: 'unstable' },
          lines: [
            { text: RESULT.text, source: { kind: 'examination', id: uuid(8) }, is_quoted: true },
            { text: PIN.text, source: { kind: 'message', id: uuid(7) }, is_quoted: true },
          ],
          actions: [{ text: 'Repeat lactate', owner: 'Night SHO', due_at: '2026-11-20T02:00:00.000Z' }],
        },
        ...{ to: { user_id: mira.id, role_id: null }, hands_over_chat: true },
      },
    ]);
  });

  it('HAND-1 says what is missing where it is, and sends nothing', async () => {
    const { asked, write } = open();
    write();
    await press('Sign and hand over');
    expect(await screen.findByRole('group', { name: /Illness severity/ })).toBeTruthy();
    expect(screen.getAllByText('Choose how ill the patient is.').length).toBeGreaterThan(0);
    const severity = screen.getByRole('group', { name: 'Illness severity' });
    expect(severity.contains(document.activeElement), 'leads there').toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: 'Stable' }));
    await press('Sign and hand over');
    expect(screen.getAllByText('Choose whom you hand over to.').length).toBeGreaterThan(0);
    expect(document.activeElement).toBe(screen.getByLabelText('Hand over to'));
    expect([asked, screen.queryByRole('dialog')]).toEqual([[], null]);
  });

  it('HAND-1 A29 what is written survives the tab, is gone on with offline, and is gone once it is signed', async () => {
    const { write, store, asked } = open();
    write();
    await fill();
    const [first] = within(await part('Patient summary')).getAllByRole('textbox');
    type(first as HTMLElement, 'Potassium is high');
    cleanup();
    setOnline(false);
    const again = open(undefined, { store });
    again.app.refuse(503);
    again.write();
    expect((await linesOf('Patient summary'))[0]).toBe('Potassium is high');
    expect(screen.getByText(/Signing needs the network\.$/, { selector: 'span' })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign and hand over' }).disabled).toBe(true);
    cleanup();
    setOnline(true);
    const last = open(undefined, { store });
    last.write();
    await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(2));
    await press('Sign and hand over');
    await confirmDialog('Sign and hand over');
    await waitFor(() => expect(last.asked).toHaveLength(1));
    await waitFor(async () => expect(await store.meta(`handover/${edith.id}`)).toBeUndefined());
    expect(asked).toEqual([]);
  });

  it('HAND-1 what the chat says otherwise by now is told at the line, and not signed before it is decided', async () => {
    const { write, server, heard, asked } = open();
    write();
    await fill();
    server.suggestions = [{ ...RESULT, text: 'Renal profile: Potassium 5.9 mmol/L (high)' }, PIN, SAID];
    act(() => heard['ExaminationChanged']?.({}));
    expect(await screen.findByText(/The chat says now: Renal profile: Potassium 5\.9/)).toBeTruthy();
    await press('Sign and hand over');
    expect([asked, screen.queryByRole('dialog')]).toEqual([[], null]);
    await press('Update');
    expect((await linesOf('Patient summary'))[0]).toBe('Renal profile: Potassium 5.9 mmol/L (high)');
    expect(screen.queryByText(/The chat says now/)).toBeNull();
  });

  it('HAND-1 what was given before with something else in it is told, and the next press gives this one as another', async () => {
    const { app, asked, write } = open();
    write();
    await fill();
    const ids: string[] = [];
    app.api.around = async ({ line, init }, go) => {
      if (!line.startsWith('POST')) return go();
      ids.push(JSON.parse(String(init.body)).client_id);
      if (ids.length > 1) return go();
      return Response.json({ message: 'Sent before with something else.', code: 'client_id_reused' }, { status: 409 });
    };
    await press('Sign and hand over');
    await confirmDialog('Sign and hand over');
    expect((await screen.findAllByText(/Sent before with something else/)).length).toBeGreaterThan(0);
    await press('Sign and hand over');
    await confirmDialog('Sign and hand over');
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(new Set(ids).size).toBe(2);
  });

  it('HAND-1 a refusal of one line is said at it, and the sheet stays as it is', async () => {
    const { app, write } = open();
    write();
    await fill();
    app.api.around = async ({ line }, go) => {
      if (!line.startsWith('POST')) return go();
      const errors = { 'sheet.lines.1': ['The chat says something else by now.'] };
      return Response.json({ message: 'No.', errors }, { status: 422 });
    };
    await press('Sign and hand over');
    await confirmDialog('Sign and hand over');
    const summary = await part('Patient summary');
    const alert = await within(summary).findByRole('alert');
    expect(alert.closest('li')?.querySelector('textarea')?.value).toBe(PIN.text);
    expect(app.navigate).not.toHaveBeenCalled();
    await press('Keep as my own text');
    expect(within(summary).queryByRole('alert')).toBeNull();
  });

  it('HAND-1 who may not add people is offered those of the chat alone', async () => {
    open(undefined, { canManage: false }).write();
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent?.split(',')[0])).toEqual([
      ...['Choose…', mira.name, leila.name],
    ]);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('a hand-over beside its chat', () => {
  it('HAND-1 shows what was signed and where it comes from, and that nobody has received it', async () => {
    open().show();
    expect(await part('Patient summary')).toBeTruthy();
    for (const said of ['Waiting', 'Watcher', 'Edith Maron', 'If she drops: call', 'Nobody yet', /^SHA-256 ab12/])
      expect(screen.getAllByText(said).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Sign and receive' })).toBeNull();
  });

  it('HAND-1 of another chat, or of nobody, it is not there', async () => {
    open(handoverOf({ chat_id: uuid(1) })).show();
    expect(await screen.findByText('You don’t have access to this hand-over')).toBeTruthy();
  });

  it('HAND-1 the receiver says what they understood, which survives the tab, and signs it', async () => {
    const { show, asked, store } = open(handoverOf({ my: ASKS }));
    show();
    await press('Sign and receive');
    expect(await screen.findByText('Say in your own words what you understood.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Synthesis by receiver'));
    type(screen.getByLabelText('Synthesis by receiver'), 'I watch the lactate');
    cleanup();
    const again = open(handoverOf({ my: ASKS }), { store });
    again.show();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLTextAreaElement>('Synthesis by receiver').value).toBe('I watch the lactate'),
    );
    await press('Sign and receive');
    await waitFor(() =>
      expect(again.asked).toEqual([{ event: 'receive', expected_version: 1, text: 'I watch the lactate' }]),
    );
    expect(asked).toEqual([]);
    await waitFor(async () => expect(await store.meta(`handover-synthesis/${uuid(5)}`)).toBeUndefined());
  });

  it('HAND-1 CHAT-7 who was overtaken is told by whom, and sees how it stands', async () => {
    const { app, show, server } = open(handoverOf({ my: ASKS }));
    show();
    type(await screen.findByLabelText('Synthesis by receiver'), 'I watch the lactate');
    app.api.around = async ({ line }, go) => {
      if (!line.startsWith('POST')) return go();
      server.now = handoverOf({ state: 'received', version: 2, to: leila.name });
      return Response.json({ message: 'Leila Haddad has received it meanwhile.', code: 'conflict' }, { status: 409 });
    };
    await press('Sign and receive');
    expect(await screen.findByText('Received')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign and receive' })).toBeNull());
  });

  it('HAND-1 offline the synthesis is kept and nothing can be signed, and it says so', async () => {
    open(handoverOf({ my: ASKS })).show();
    await screen.findByRole('button', { name: 'Sign and receive' });
    setOnline(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Sign and receive' })).disabled).toBe(true);
    expect(screen.getByText(/signing needs the network/)).toBeTruthy();
  });

  it('HAND-1 it is declined with a reason', async () => {
    const { show, asked } = open(handoverOf({ my: ASKS }));
    show();
    await press('Decline');
    const dialog = await screen.findByRole('dialog', { name: 'Decline this hand-over?' });
    type(within(dialog).getByLabelText('Reason'), 'Not me');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(asked).toEqual([{ event: 'decline', expected_version: 1, text: 'Not me' }]));
    expect(await screen.findByText('Declined')).toBeTruthy();
  });

  it('HAND-1 who gave it withdraws it, or corrects it with a reason, beginning with what was signed', async () => {
    const { show, asked } = open(handoverOf({ my: GIVES }));
    show();
    expect(await screen.findByRole('button', { name: 'Withdraw' })).toBeTruthy();
    await press('Correct');
    expect(await linesOf('Patient summary')).toEqual([PIN.text]);
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Hand over to').value).toBe(`user:${mira.id}`));
    await press('Sign correction');
    expect(screen.getAllByText('Say why it is corrected.').length).toBeGreaterThan(0);
    type(screen.getByLabelText('Why it is corrected'), 'Wrong dose');
    await press('Sign correction');
    await confirmDialog('Sign correction');
    await waitFor(() => expect(asked).toMatchObject([{ expected_version: 1, reason: 'Wrong dose' }]));
    expect(await screen.findByRole('button', { name: 'Correct' })).toBeTruthy();
  });

  it('HAND-1 actions are ticked off by whoever works on, with who and when', async () => {
    const { show, asked } = open(
      handoverOf({ state: 'received', my: { ...ASKS, can_receive: false, can_tick: true } }),
    );
    show();
    const action = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /Repeat lactate/ });
    fireEvent.click(await action());
    expect(await screen.findByText(/Done by Leila Haddad/)).toBeTruthy();
    fireEvent.click(await action());
    await waitFor(() => expect(asked).toEqual([{ is_done: true }, { is_done: false }]));
  });

  it('HAND-1 what others do with it is shown at once', async () => {
    const { show, server, heard } = open();
    show();
    await screen.findByText('Waiting');
    const receipt = { by: signer(mira), at, synthesis: 'I watch the lactate', sha256: 'cd34' };
    server.now = handoverOf({ state: 'received', version: 2, versions: [versionOf({ receipt })] });
    act(() => heard['HandoverChanged']?.({ handover_id: uuid(5) }));
    expect(await screen.findByText('I watch the lactate')).toBeTruthy();
  });

  it('HAND-1 earlier versions stay to be read', async () => {
    const versions = [versionOf({ version: 2, reason: 'It is day 3' }), versionOf()];
    open(handoverOf({ sheet_version: 2, versions })).show();
    expect(await screen.findByText('Version 2: It is day 3')).toBeTruthy();
    expect(within(await part('Earlier versions')).getByText(/Version 1, Ana Reyes/)).toBeTruthy();
  });

  it('HAND-1 is printed with two identifiers and both signatures, and the print is written down', async () => {
    const receipt = { by: signer(mira), at, synthesis: 'I watch the lactate', sha256: 'cd34' };
    const { app, show } = open(handoverOf({ state: 'received', versions: [versionOf({ receipt })] }));
    const printed: unknown[] = [];
    app.api.on(getUser, () => anaUser);
    app.api.on(noteHandoverPrint, ({ params }) => void printed.push(params));
    vi.stubGlobal('print', vi.fn());
    show();
    await choose('Print or save as PDF');
    const sheet = await screen.findByRole('article', { name: 'Hand-over, I-PASS' });
    for (const said of ['Edith Maron', '40-118-236', 'ab12', 'cd34', 'I watch the lactate', 'Dr. Mira Okafor'])
      expect(sheet.textContent).toContain(said);
    expect(sheet.textContent).not.toContain('Not received yet');
    await press('Print or save as PDF');
    await waitFor(() => expect(printed).toEqual([{ handover: uuid(5) }]));
    vi.unstubAllGlobals();
  });

  it('HAND-1 EXAM-6 leaves as a FHIR file, and from it a way leads to the list of its unit', async () => {
    const { show } = open(handoverOf({ state: 'received' }));
    const asked: string[] = [];
    show();
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Print or export' }), { key: 'Enter' });
    const list = await screen.findByRole('menuitem', { name: 'Hand-over list' });
    expect(list.getAttribute('href')).toBe(`/handovers?facility=${stBrigid.id}`);
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return new Response('{}');
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const kept: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    fireEvent.click(screen.getByRole('menuitem', { name: 'Export as FHIR' }));
    await waitFor(() => expect(kept).toEqual([`handover-${uuid(5)}.json`]));
    expect(asked[0]).toMatch(new RegExp(`/api/handovers/${uuid(5)}/fhir$`));
    vi.unstubAllGlobals();
  });
});

describe('where it is met', () => {
  it('HAND-1 its card stands below the newest line that tells of it, with what is open', async () => {
    const { draw } = open(handoverOf({ state: 'received' }));
    draw(
      <>
        <HandoverAct id={uuid(5)} chatId={edith.id} seq={3} />
        <HandoverAct id={uuid(5)} chatId={edith.id} seq={8} />
      </>,
    );
    const [card, ...others] = await screen.findAllByRole('link');
    expect(others).toEqual([]);
    expect(card?.textContent).toBe('Ana Reyes → Dr. Mira Okafor · 1 to doWatcherReceived');
    expect(card?.getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/c-${edith.id}/h-${uuid(5)}`);
  });

  it('HAND-1 what waits for me stands on the dashboard, comes and goes by itself, and nothing stands there where nothing does', async () => {
    const { server, heard, draw } = open();
    const { container } = draw(<HandoversWaiting userId={ana.id} />);
    await waitFor(() => expect(container.textContent).toBe(''));
    const { id, chat_id, facility_id, format, severity, given_at } = handoverOf();
    server.waiting = [{ id, chat_id, facility_id, format, severity, patient, from: mira.name, role: null, given_at }];
    act(() => heard['HandoverChanged']?.({}));
    expect((await screen.findByRole('link', { name: /^Receive.*Edith Maron/ })).getAttribute('href')).toContain(
      `/h-${id}`,
    );
    expect(screen.getByText('MRN 40-118-236')).toBeTruthy();
    server.waiting = [];
    act(() => heard['HandoverChanged']?.({}));
    await waitFor(() => expect(container.textContent).toBe(''));
  });

  it('HAND-1 OPS-6 a failure is told on the dashboard, but not that a back end has no hand-overs', async () => {
    const { app, heard, draw } = open();
    app.refuse(500);
    const { container } = draw(<HandoversWaiting userId={ana.id} />);
    expect(await screen.findByText('The hand-overs that wait for you did not load')).toBeTruthy();
    app.refuse(404, { message: 'The route api/waiting-handovers could not be found.' });
    act(() => heard['HandoverChanged']?.({}));
    await waitFor(() => expect(container.textContent).toBe(''));
  });
});
