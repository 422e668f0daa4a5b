// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import type { Chat, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { Urgent, UrgentPerson } from '@wardline/contract/chat/urgent.ts';
import {
  getUrgentLadder,
  listUrgent,
  noteUrgentDelivered,
  type WaitingUrgent,
} from '@wardline/contract/chat/urgent-acts.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { getDuty, listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { listPresence } from '@wardline/contract/facilities/presence.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PendingRow } from '#/features/chat/chat-view/message-row.tsx';
import { Composer } from '#/features/chat/composer/composer.tsx';
import { ComposerTools } from '#/features/chat/composer/composer-tools.tsx';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import { openDrafts } from '#/features/chat/drafts/draft-store.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { sendChange, sendUrgent } from '#/features/chat/message-acts/send-acts.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { allChats, ana, edith, fakeMessage, fakePending, leila, mira } from '#/testing/fake-chats.ts';
import { DutyHint } from './duty-hint.tsx';
import { findOtherPatients } from './other-patients.ts';
import { UrgentBanner } from './urgent-banner.tsx';
import { UrgentCard } from './urgent-card.tsx';
import { UrgentDialog } from './urgent-dialog.tsx';
import { formatNext } from './urgent-labels.ts';
import { UrgentWaiting } from './urgent-waiting.tsx';
import { useRefreshUrgent } from './use-waiting-urgent.ts';

const chats = createFakeChatRuntime();
const { add } = chats;
beforeEach(chats.reset);

const at = (minute: number) => `2026-11-20T00:${String(minute).padStart(2, '0')}:00.000Z`;
const called = (who: typeof ana, given: Partial<UrgentPerson> = {}): UrgentPerson => ({
  ...{ user_id: who.id, name: who.name, role: null, called_at: at(10), times: 1 },
  ...{ delivered_at: null, seen_at: null, accepted_at: null, ...given },
});
const by = (who: typeof ana) => ({ user_id: who.id, name: who.name });
const calling: Urgent = {
  ...{ state: 'calling', version: 1, step: 0, due_at: at(15), next: null },
  targets: { people: [by(ana), by(leila)], role: null },
  steps: [
    { after_min: 5, call: 'again' },
    { after_min: 10, call: 'everyone' },
  ],
  people: [called(ana, { delivered_at: at(10) }), called(leila, { delivered_at: at(10), seen_at: at(11) })],
  entries: [{ at: at(10), kind: 'sent', by: by(mira), called: [ana.name, leila.name], note: null }],
};
const accepted: Urgent = {
  ...calling,
  ...{ state: 'accepted', version: 2, people: [called(ana, { accepted_at: at(12), seen_at: at(12) }), called(leila)] },
  entries: [...calling.entries, { at: at(12), kind: 'accepted', by: by(ana), called: [], note: null }],
};
const closed: Urgent = {
  ...{ ...accepted, state: 'closed', version: 3, due_at: null },
  entries: [...accepted.entries, { at: at(20), kind: 'acted', by: by(ana), called: [], note: 'Calcium given' }],
};
const said: Message = { ...fakeMessage(9, mira, 5, 'K 6.9, please come'), urgent: calling };

function card(urgent: Urgent, me = ana, given: { isUnsaved?: boolean } = {}) {
  const change = vi.fn();
  const acts = { myId: me.id, change } as unknown as MessageActs;
  createFakeApp().draw(
    <UrgentCard message={{ ...said, urgent }} acts={acts} timeZone="UTC" isUnsaved={given.isUnsaved}>
      <p>K 6.9, please come</p>
    </UrgentCard>,
    chats.around,
  );
  const steps = () =>
    screen
      .getAllByRole('listitem')
      .slice(0, 5)
      .map((item) => item.textContent);
  return { change, steps };
}
const button = (name: string) => screen.getByRole('button', { name });
const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('the card of an urgent message', () => {
  it('URG-1 shows who was asked, how far it has got, and one button to acknowledge', () => {
    const { change, steps } = card(calling);
    expect(screen.getByRole('region', { name: 'Urgent message' }).textContent).toContain('To you and Leila Haddad');
    expect(steps()).toEqual([
      'Sent 00:10',
      'On devices 2 of 2',
      'Seen Leila Haddad',
      'Acknowledged waiting for you',
      'Done not yet',
    ]);
    fireEvent.click(button('Acknowledge'));
    expect(change).toHaveBeenCalledExactlyOnceWith({ type: 'urgent', messageId: said.id, act: 'accept' });
  });

  it('URG-1 who acknowledged it says what was done, in words', () => {
    const { change } = card(accepted);
    fireEvent.click(button('Done'));
    expect(screen.getByText('Say it in a few words; everyone in the chat sees it.')).toBeTruthy();
    expect(change).not.toHaveBeenCalled();
    write('What was done?', ' Calcium given ');
    fireEvent.click(button('Done'));
    expect(change).toHaveBeenCalledWith({ type: 'urgent', messageId: said.id, act: 'close', note: 'Calcium given' });
  });

  it('URG-1 another who was called can still come too, and a reader has nothing to press', () => {
    card(accepted, leila);
    expect(button('Acknowledge too')).toBeTruthy();
    cleanup();
    card(calling, { ...ana, id: 'reader' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('URG-1 its sender sees who has not, and withdraws it with a reason', () => {
    const { change } = card(calling, mira);
    const missing = within(screen.getByRole('list', { name: 'Not acknowledged by', hidden: true })).getAllByRole(
      'listitem',
      { hidden: true },
    );
    expect(missing.map((item) => item.textContent)).toEqual([
      'Ana Reyes: on a device, not seen',
      'Leila Haddad: seen, not acknowledged',
    ]);
    fireEvent.click(button('Withdraw'));
    write('Why is it no longer needed?', 'Wrong bed');
    fireEvent.click(button('Withdraw'));
    expect(change).toHaveBeenCalledWith({ type: 'urgent', messageId: said.id, act: 'withdraw', note: 'Wrong bed' });
  });

  it('URG-1 once closed it shows what was done and asks for nothing', () => {
    const { steps } = card(closed, leila);
    expect(screen.getByText('Urgent, closed')).toBeTruthy();
    expect(screen.getAllByText('Ana Reyes closed it: Calcium given').length).toBeGreaterThan(0);
    expect(steps().at(-1)).toBe('Done 00:20');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('URG-1 says that nobody is left to call, and leaves out of the timeline what it does not know', () => {
    const strange = { at: at(30), kind: 'beamed', by: null, called: [], note: null };
    card({ ...calling, state: 'exhausted', due_at: null, entries: [...calling.entries, strange] });
    expect(screen.getByRole('note').textContent).toContain('Call by telephone.');
    expect(document.body.textContent).not.toContain('beamed');
    expect(button('Acknowledge')).toBeTruthy();
  });

  it('URG-1 OFF-1 what waits on this device is not taken as known to anybody', () => {
    card(calling, ana, { isUnsaved: true });
    expect(screen.getByText('Kept on this device. Nobody knows of it until it is sent.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('URG-1 says who is called next, and when', () => {
    const now = Date.parse(at(10));
    expect(formatNext(calling, now)).toBe('Calls again in 5 min');
    expect(formatNext({ ...calling, step: 1 }, now)).toBe('Calls everyone in this chat in 5 min');
    expect(formatNext({ ...calling, step: 2 }, now)).toBe('Ends in 5 min if nobody answers');
    expect(formatNext(accepted, now + 290_000)).toBe('Reminder in under a minute unless it is done');
    expect(formatNext(closed, now)).toBeNull();
  });
});

const participant = (who: typeof ana): Participant => ({
  ...{ user_id: who.id, name: who.name, title: who.title, access: 'write', delivered_seq: 0, read_seq: 0 },
});

describe('the form of an urgent message', () => {
  const role = { id: edith.id, name: 'Medical registrar', unit: null, phone: null, version: 1, next: null };
  const shift = { id: edith.id, starts_at: at(0), ends_at: at(59) };
  const holder = { user_id: leila.id, name: leila.name, title: null, avatar_url: null, phone: null };

  function open(chat: Chat = edith, text = '') {
    const app = createFakeApp();
    app.api.on(listOnCallRoles, () => ({ data: [{ ...role, now: { ...shift, person: holder } }], next_cursor: null }));
    app.api.on(getUrgentLadder, () => ({
      steps: [
        { after_min: 5, call: 'again' as const },
        { after_min: 10, call: 'next' as const },
        { after_min: 15, call: 'fallback' as const },
      ],
      fallback: { role_id: role.id, name: 'House supervisor', holder: { user_id: mira.id, name: mira.name } },
      version: 1,
    }));
    const on = { onSent: vi.fn(), onClose: vi.fn() };
    app.draw(
      <UrgentDialog
        {...{ chat, text, ...on }}
        timeZone="UTC"
        me={ana}
        participants={[ana, mira, leila].map(participant)}
      />,
      chats.around,
    );
    return { ...on, app };
  }

  it('URG-1 is written by who, what, what is asked and how soon, and says who will be called', async () => {
    const { onSent, onClose } = open();
    expect(screen.getByLabelText('Who is it about')).toHaveProperty('value', 'Edith Maron, MRN 40-118-236, bed 3A-12');
    write('What is the matter', 'K 6.8');
    write('What is asked', 'calcium now');
    fireEvent.click(button('Within 15 min'));
    fireEvent.click(screen.getByRole('checkbox', { name: /Mira Okafor/ }));
    fireEvent.change(await screen.findByLabelText('If nobody answers, call next'), { target: { value: role.id } });
    const ladder = within(await screen.findByRole('region', { name: 'Who is called' })).getAllByRole('listitem');
    expect(ladder.map((item) => item.textContent)).toEqual([
      'At once: who you choose',
      'After 5 min: again',
      'After 10 min: Medical registrar',
      'After 15 min: House supervisor (Dr. Mira Okafor)',
      'After that you are told that nobody is left',
    ]);
    fireEvent.click(button('Send and call'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(onSent).toHaveBeenCalledOnce();
    expect(add.mock.calls[0]?.[0]).toMatchObject({
      lane: edith.id,
      payload: {
        body: '',
        urgent: {
          body: 'Edith Maron, MRN 40-118-236, bed 3A-12\nK 6.8\nPlease: calcium now\nHow soon: Within 15 min',
          asked: { targets: { people: [mira.id], role_id: null }, next: { people: [], role_id: role.id } },
        },
      },
    });
  });

  it('URG-1 says all that is missing at once, at its place, and leads to the first', async () => {
    open();
    await screen.findByLabelText('On call');
    fireEvent.click(button('Send and call'));
    expect(screen.getByText('Choose who must acknowledge it.')).toBeTruthy();
    expect(screen.getByText('Write what is asked.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('What is asked'));
    fireEvent.change(screen.getByLabelText('What is asked'), { target: { value: 'calcium now' } });
    fireEvent.click(button('Send and call'));
    expect(document.activeElement).toBe(screen.getByLabelText('On call'));
  });

  it('URG-1 takes what was written already as free text, and a role in place of people', async () => {
    open(edith, 'Please come to 3A-12');
    expect(screen.getByLabelText('Message')).toHaveProperty('value', 'Please come to 3A-12');
    fireEvent.click(button('Send and call'));
    expect(screen.getByText('Choose who must acknowledge it.')).toBeTruthy();
    const select = await screen.findByLabelText('On call');
    expect(select.textContent).toContain('Medical registrar: Leila Haddad');
    fireEvent.change(select, { target: { value: role.id } });
    fireEvent.click(button('Send and call'));
    await waitFor(() => expect(add).toHaveBeenCalledOnce());
    expect(add.mock.calls[0]?.[0].payload).toMatchObject({
      urgent: { body: 'Please come to 3A-12', asked: { targets: { people: [], role_id: role.id } } },
    });
  });

  it('URG-1 OFF-1 without a network it says that nobody is called before it is sent, and so does what waits', async () => {
    chats.setOnline(false);
    open(edith, 'Come');
    expect(screen.getByText(/Nobody is called until this is sent/)).toBeTruthy();
    const urgent = { body: 'Come', asked: { targets: { people: [mira.id], role_id: null } } };
    const pending = { ...fakePending(1, 'waiting', 'Come'), urgent };
    createFakeApp().draw(
      <PendingRow {...{ pending }} isHead me={ana} timeZone="UTC" onRetry={vi.fn()} onDiscard={vi.fn()} />,
      chats.around,
    );
    expect(screen.getByText('Waiting to send. Nobody has been called yet.')).toBeTruthy();
  });

  it('URG-3 CHAT-12 says who is off duty, proposes the role on duty, and takes it in their place', async () => {
    const nothing = { shift_until: null, on_duty_until: null, busy: null, last_seen: null };
    const { app } = open(edith, 'Come');
    app.api.on(listPresence, () => ({
      data: [
        { ...nothing, user_id: mira.id, last_seen: 'yesterday' as const },
        { ...nothing, user_id: leila.id, on_duty_until: new Date(Date.now() + 3_600_000).toISOString() },
      ],
    }));
    app.api.on(getDuty, () => ({
      is_on_call: false,
      instead: [{ role_id: role.id, name: role.name, holder: { user_id: leila.id, name: leila.name }, until: at(59) }],
    }));
    await screen.findByText('Off duty, seen yesterday');
    fireEvent.click(screen.getByRole('checkbox', { name: /Leila Haddad.*On duty until/ }));
    expect(screen.queryByRole('note')).toBeNull();
    fireEvent.click(screen.getByRole('checkbox', { name: /Mira Okafor/ }));
    const note = await screen.findByRole('note');
    await waitFor(() => expect(note.textContent).toContain('Leila Haddad is on call for Medical registrar.'));
    fireEvent.click(button('Call Medical registrar instead'));
    expect(screen.getByRole('checkbox', { name: /Mira Okafor/ })).toHaveProperty('checked', false);
    fireEvent.click(button('Send and call'));
    await waitFor(() => expect(add).toHaveBeenCalledOnce());
    expect(add.mock.calls[0]?.[0].payload).toMatchObject({
      urgent: { asked: { targets: { people: [leila.id], role_id: role.id } } },
    });
  });

  it('CHAT-17 in a direct chat calls the other, and no role', () => {
    open({ ...edith, kind: 'direct', patient: null }, 'Come');
    expect(screen.queryByLabelText('On call')).toBeNull();
    expect(screen.getAllByRole('checkbox').every((box) => (box as HTMLInputElement).checked)).toBe(true);
  });
});

it('URG-1 sending it from beside the box sends nothing else of what stands there', async () => {
  const app = createFakeApp();
  app.api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
  app.api.on(getUrgentLadder, () => ({ steps: [], fallback: null, version: 0 }));
  const drafts = openDrafts(ana.id);
  drafts.write(edith.id, 'K 6.8, come');
  const onSend = vi.fn(async () => undefined);
  const facility = { id: edith.facility_id, permissions: [] } as unknown as Facility;
  const people = [ana, mira].map(participant);
  const onUrgentSent = vi.fn();
  const tools = (
    <ComposerTools
      onSent={onUrgentSent}
      {...{ chat: edith, facility, me: ana, drafts, people }}
      guard={{ current: null }}
    />
  );
  const fixed = { readOnlyReason: null, onTyping: vi.fn(), onAttach: async () => [] };
  const props = { ...fixed, chatId: edith.id, drafts, onSend, tools };
  app.draw(<Composer {...props} />, (page) => (
    <DeviceContext value={{ store: createMemoryStore(ana.id), outbox: null as never }}>
      {chats.around(page)}
    </DeviceContext>
  ));
  fireEvent.click(button('Urgent'));
  await screen.findByRole('checkbox', { name: /Mira Okafor/ });
  fireEvent.click(button('Send and call'));
  const colleague = screen.getByRole('checkbox', { name: /Mira Okafor/ });
  expect(document.activeElement).toBe(colleague);
  fireEvent.click(colleague);
  expect(screen.queryByText('Choose who must acknowledge it.')).toBeNull();
  fireEvent.click(button('Send and call'));
  await waitFor(() => expect(add).toHaveBeenCalledOnce());
  expect([onSend.mock.calls, onUrgentSent.mock.calls.length]).toEqual([[], 1]);
  drafts.write(edith.id, '');
});

describe('what is handed to the server', () => {
  const item = { clientId: edith.id, lane: edith.id, userId: ana.id, writtenAt: at(1) };
  const { signal } = new AbortController();

  it('URG-1 CHAT-3 is the message with its call, and each act by its own address', async () => {
    const asked = { targets: { people: [mira.id], role_id: null } };
    const call = vi.fn(async () => said);
    const unsent = { ...item, payload: { body: '' } };
    await sendUrgent(call as never, { item: unsent as never, urgent: { body: 'Come', asked }, signal });
    const acts = [{ act: 'accept' }, { act: 'close', note: 'x' }, { act: 'withdraw', note: 'y' }];
    for (const what of acts) {
      const payload = { type: 'urgent', messageId: said.id, ...what };
      await sendChange(call as never, { ...item, payload } as never, signal);
    }
    const asks = call.mock.calls as unknown as [{ name: string }, { body?: unknown }][];
    expect(asks.map(([endpoint, { body }]) => [endpoint.name, body])).toEqual([
      ['sendMessage', { client_id: item.clientId, device_time: at(1), body: 'Come', urgent: asked }],
      ['acceptUrgent', undefined],
      ['closeUrgent', { note: 'x' }],
      ['withdrawUrgent', { note: 'y' }],
    ]);
  });
});

const waiting: WaitingUrgent = {
  ...{ message_id: said.id, chat_id: edith.id, facility_id: edith.facility_id, seq: 9, chat_title: 'Edith Maron' },
  ...{
    patient: { name: 'Edith Maron', identifier: '40-118-236' },
    sender: by(mira),
    excerpt: 'K 6.9',
    state: 'calling',
  },
  ...{ sent_at: at(10), called_at: at(10), waits_for: 'accept', missing: [] },
};

describe('what waits', () => {
  function show(mine: readonly WaitingUrgent[], others: readonly WaitingUrgent[] = []) {
    const app = createFakeApp();
    let left = mine;
    app.api.on(listUrgent, ({ query }) => ({
      data: query.of === 'others' ? [...others] : [...left],
      next_cursor: null,
      counts: { accept: left.length, act: 0, others: others.length },
    }));
    return { ...app, accepted: () => (left = left.slice(1)) };
  }

  /** What is pressed stands in the outbox, which sends nothing by itself. */
  function keepChanges(given: Partial<OutboxItem<MessageChange>> = {}) {
    const fixed = { order: 1, userId: ana.id, kind: 'message-change', attempts: 0, refusal: null };
    chats.addChange.mockImplementation(async (item) => {
      chats.setChanges([{ ...item, ...fixed, state: 'waiting', reason: null, ...given }]);
      return undefined;
    });
  }
  const kept = 'Kept on this device. Nobody knows of it until it is sent.';

  it('URG-2 stands over every page with whom it is from and what it is, and is acknowledged there', async () => {
    keepChanges();
    const app = show([waiting, { ...waiting, message_id: edith.id }]);
    app.draw(<UrgentBanner userId={ana.id} />, chats.around);
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toBe(
      'Urgent from Dr. Mira Okafor. 1 more waiting. Edith Maron, MRN 40-118-236: K 6.9AcknowledgeOpen',
    );
    fireEvent.click(button('Acknowledge'));
    await screen.findByText(new RegExp(kept));
    app.accepted();
    act(() => chats.setChanges([]));
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toContain('more waiting'));
    expect(button('Acknowledge')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).toMatch(/c-.*m=9|#|\?/);
  });

  it('URG-2 OFF-1 a press over every page or on the dashboard is kept as one in the chat is, and asks for nothing more', async () => {
    keepChanges();
    show([waiting]).draw(
      <>
        <UrgentBanner userId={ana.id} />
        <UrgentWaiting />
      </>,
      chats.around,
    );
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Acknowledge' })).toHaveLength(2));
    fireEvent.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull());
    expect(screen.getByRole('alert').textContent).toContain(kept);
    expect(within(screen.getByRole('region', { name: /Urgent/ })).getByText(kept)).toBeTruthy();
    expect(chats.addChange).toHaveBeenCalledExactlyOnceWith({
      clientId: expect.any(String),
      lane: waiting.chat_id,
      payload: { type: 'urgent', act: 'accept', messageId: waiting.message_id },
      writtenAt: expect.any(String),
    });
  });

  it('URG-2 where one is kept the next is led to, and does not take its place under the finger', async () => {
    keepChanges();
    const next = { ...waiting, message_id: edith.id, seq: 12, excerpt: 'BP 70/40' };
    show([waiting, next]).draw(<UrgentBanner userId={ana.id} />, chats.around);
    await screen.findByRole('alert');
    fireEvent.click(button('Acknowledge'));
    const link = await screen.findByRole('link', { name: 'Open the next' });
    expect(link.getAttribute('href')).toContain('message=12');
    expect(screen.getByRole('alert').textContent).toContain('K 6.9');
  });

  it.each([
    ['Edith Maron, MRN 40-118-236: K 6.9', 'Edith Maron, MRN 40-118-236: K 6.9'],
    ['Edith Maron has K 6.9', 'MRN 40-118-236: Edith Maron has K 6.9'],
  ])('CHAT-10 over every page says of the patient what “%s” does not say itself', async (excerpt, shown) => {
    show([{ ...waiting, excerpt }]).draw(<UrgentBanner userId={ana.id} />, chats.around);
    expect((await screen.findByRole('alert')).textContent).toBe(`Urgent from Dr. Mira Okafor. ${shown}AcknowledgeOpen`);
  });

  it('URG-1 tells once that this device shows the call, and again where that did not arrive', async () => {
    const app = show([
      { ...waiting, is_delivered: false },
      { ...waiting, message_id: edith.id, is_delivered: true },
    ]);
    const told: string[] = [];
    app.api.on(noteUrgentDelivered, ({ params }) => {
      told.push(params.message);
      if (told.length === 1) throw new FakeRefusal('unavailable');
      return undefined;
    });
    function AskAgain() {
      const refresh = useRefreshUrgent();
      return (
        <button type="button" onClick={() => void refresh()}>
          Ask again
        </button>
      );
    }
    app.draw(
      <>
        <UrgentBanner userId={ana.id} />
        <AskAgain />
      </>,
      chats.around,
    );
    await waitFor(() => expect(told).toEqual([waiting.message_id]));
    fireEvent.click(button('Ask again'));
    await waitFor(() => expect(told).toEqual([waiting.message_id, waiting.message_id]));
    fireEvent.click(button('Ask again'));
    await waitFor(() => expect(app.api.asked.filter((line) => line.includes('/api/urgent?of=me'))).toHaveLength(3));
    expect(told).toHaveLength(2);
  });

  it('URG-2 says where it was pressed why it was not acknowledged, and sends it again from there', async () => {
    keepChanges({ clientId: 'refused', state: 'failed', reason: 'This message was withdrawn meanwhile.' });
    show([waiting]).draw(<UrgentBanner userId={ana.id} />, chats.around);
    await screen.findByRole('alert');
    fireEvent.click(button('Acknowledge'));
    expect(await screen.findByText(/Not acknowledged\. This message was withdrawn meanwhile\./)).toBeTruthy();
    fireEvent.click(button('Acknowledge'));
    expect(chats.retryChange).toHaveBeenCalledExactlyOnceWith('refused');
    expect(chats.addChange).toHaveBeenCalledOnce();
  });

  it('URG-2 says that a press was not even kept', async () => {
    chats.addChange.mockRejectedValue(new Error('This device is full.'));
    show([waiting]).draw(<UrgentBanner userId={ana.id} />, chats.around);
    await screen.findByRole('alert');
    fireEvent.click(button('Acknowledge'));
    expect(await screen.findByText(/Not acknowledged\. This device is full\./)).toBeTruthy();
    expect(button('Acknowledge')).toBeTruthy();
  });

  it('URG-2 tells the sender over every page that nobody is left, and on the dashboard who has not', async () => {
    const missing = [{ user_id: leila.id, name: leila.name, has_seen: true }];
    const mine: WaitingUrgent = { ...waiting, waits_for: 'others', state: 'exhausted', missing };
    const app = show([], [mine, { ...mine, message_id: edith.id, state: 'calling' }]);
    app.draw(
      <>
        <UrgentBanner userId={mira.id} />
        <UrgentWaiting />
      </>,
      chats.around,
    );
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Nobody has acknowledged your urgent message. Edith Maron, MRN 40-118-236. There is nobody left',
    );
    expect(await screen.findByText(/not acknowledged by Leila Haddad \(seen\)/)).toBeTruthy();
  });
});

describe('the right recipient', () => {
  it('URG-3 finds numbers of other patients of my chats, and numbers that are called one, however they are typed', () => {
    const find = (body: string, chat: Chat = edith) => findOtherPatients(body, chat, allChats);
    expect(find('MRN 40-118-236: K 6.8 at 00:35')).toEqual([]);
    expect(find('see 40119502 too')).toEqual([{ number: '40-119-502', name: 'Casimir Wolny' }]);
    expect(find('40-119-502.')).toEqual([{ number: '40-119-502', name: 'Casimir Wolny' }]);
    expect(find('MRN 99-000-111 has the same')).toEqual([{ number: '99-000-111', name: null }]);
    expect(find('140119502 ml')).toEqual([]);
    // Of another hospital, and in a chat that is about nobody.
    expect(find('H-20-4415')).toEqual([]);
    const team = allChats.find(({ kind }) => kind === 'group');
    expect(team && find('40-119-502', team)).toEqual([]);
  });

  it('URG-3 proposes who is on call where the other is not', async () => {
    const app = createFakeApp();
    const person = { user_id: mira.id, name: mira.name, title: null, is_member: true };
    const holder = { user_id: leila.id, name: leila.name };
    app.api.on(getDuty, () => ({
      is_on_call: false,
      instead: [{ role_id: edith.id, name: 'Medical registrar', holder, until: at(59) }],
    }));
    app.draw(<DutyHint chat={edith} person={person} />, chats.around);
    const hint = await screen.findByRole('note');
    expect(hint.textContent).toBe('Dr. Mira Okafor is not on call. On call now: Leila Haddad (Medical registrar)');
    const [toPerson, toRole] = within(hint).getAllByRole('link');
    expect(toPerson?.getAttribute('href')).toContain(`/p-${leila.id}`);
    expect(toRole?.getAttribute('href')).toContain(`/r-${edith.id}`);
    // Said by the same rule as everywhere: who is on duty by their own word needs nobody in their place.
    cleanup();
    const shown = createFakeApp();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const there = { user_id: person.user_id, shift_until: null, on_duty_until: later, busy: null, last_seen: null };
    const asked = vi.fn();
    shown.api.on(getDuty, () => {
      asked();
      const instead = [{ role_id: edith.id, name: 'Medical registrar', holder, until: at(59) }];
      return { is_on_call: false, instead, presence: there };
    });
    shown.draw(<DutyHint chat={edith} person={person} />, chats.around);
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByRole('note')).toBeNull();
  });
});
