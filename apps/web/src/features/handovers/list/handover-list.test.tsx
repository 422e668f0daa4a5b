// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import {
  type HandoverListRow,
  type HandoverSummary,
  listUnitHandovers,
  noteHandoverListPrint,
} from '@wardline/contract/examinations/handovers.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, harbour, mira, stBrigid } from '#/testing/fake-chats.ts';
import { HandoverListScreen } from './handover-list-screen.tsx';
import type { HandoverListPage } from './use-handover-list.ts';

beforeEach(() => setOnline(true));

const uuid = (number: number) => `019ff2c9-0000-7000-8000-0000000000${String(number).padStart(2, '0')}`;
const MED = { id: uuid(90), name: 'Medical 3A', code: 'MED 3A' };
const SINCE = '2026-11-19T19:00:00.000Z';
const SHIFTS = [
  { name: 'Night', since: SINCE },
  { name: 'Day', since: '2026-11-19T07:00:00.000Z' },
  { name: 'Night', since: '2026-11-18T19:00:00.000Z' },
];
const AT = '2026-11-20T00:30:00.000Z';

const given = (change: Partial<HandoverSummary> = {}): HandoverSummary => ({
  ...{ id: uuid(50), chat_id: edith.id, facility_id: stBrigid.id, format: 'ipass', state: 'given', version: 1 },
  ...{ sheet_version: 1, severity: 'watcher', from: ana.name, to: mira.name, role: 'Registrar' },
  ...{ given_at: '2026-11-20T00:10:00.000Z', actions: 1, open_actions: 1 },
  ...change,
});
const rowOf = (number: number, name: string, change: Partial<HandoverListRow> = {}): HandoverListRow => ({
  ...{ chat_id: uuid(number), facility_id: stBrigid.id, standing: 'none', handover: null, to_do: [] },
  patient: { name, identifier: `40-${number}`, born_on: '1948-03-14', bed: `3A-${number}` },
  ...{ urgent: 0, critical: 0, can_give: true },
  ...change,
});
const WAITING = rowOf(12, 'Edith Maron', {
  ...{ standing: 'waiting', handover: given(), urgent: 1, critical: 2 },
  to_do: [{ id: uuid(40), text: 'Repeat lactate', owner: 'Night SHO', due_at: '2026-11-19T23:00:00.000Z' }],
});
const NONE = rowOf(15, 'Casimir Wolny');
const DECLINED = rowOf(17, 'Greta Hollis', {
  ...{ standing: 'declined', handover: given({ id: uuid(51), state: 'declined' }), can_give: false },
});

function pageOf(data: HandoverListRow[], change: Partial<HandoverListPage> = {}): HandoverListPage {
  const units = [
    { unit: MED, patients: 3, without: 2, waiting: 1 },
    { unit: null, patients: 1, without: 0, waiting: 0 },
  ];
  return { data, next_cursor: null, unit_id: MED.id, since: SINCE, at: AT, units, shifts: SHIFTS, ...change };
}

function open(
  first: HandoverListPage = pageOf([WAITING, NONE, DECLINED]),
  { store = createMemoryStore(ana.id), search = '' } = {},
) {
  const address = `/handovers${search}`;
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true }, { address });
  const server = { page: first, further: null as HandoverListPage | null };
  const asked: object[] = [];
  const printed: unknown[] = [];
  app.api.on(listUnitHandovers, ({ query }) => {
    asked.push(query);
    return query.cursor !== undefined && server.further ? server.further : server.page;
  });
  app.api.on(noteHandoverListPrint, ({ body }) => void printed.push(body));
  app.api.on(getUser, () => anaUser);
  const outbox = createSharedOutbox({ store, userId: ana.id, log: createSilentLog(), firstKind: 'message' });
  const heard: Record<string, (event: object) => void> = {};
  const join = (_channel: unknown, _id: string, on: { events?: Record<string, (event: object) => void> }) => {
    Object.assign(heard, on.events);
    return { leave: () => undefined };
  };
  const show = () =>
    app.draw(<HandoverListScreen facility={stBrigid} facilities={[stBrigid, harbour]} myId={ana.id} />, (page) => (
      <DeviceContext value={{ store, outbox }}>
        <RealtimeContext value={{ join } as never}>{page}</RealtimeContext>
      </DeviceContext>
    ));
  return { app, server, asked, printed, heard, show };
}

const rowNamed = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const row = link.closest('li');
  if (!row) throw new Error(`no row of ${name}`);
  return within(row);
};
const hrefsOf = (row: Awaited<ReturnType<typeof rowNamed>>) =>
  row.getAllByRole('link').map((link) => link.getAttribute('href'));

describe('the hand-over list of a unit', () => {
  it('HAND-1 shows each patient by two identifiers with bed, hand-over, what is still to be done and what is urgent', async () => {
    open().show();
    const row = await rowNamed('Edith Maron');
    expect(row.getByText('MRN 40-12').parentElement?.textContent).toBe('MRN 40-12 · born 14 Mar 1948');
    expect(row.getByText('3A-12')).toBeTruthy();
    for (const word of ['Waiting', 'Watcher', '1 urgent message open', '2 critical results open'])
      expect(row.getByText(word)).toBeTruthy();
    expect(row.getByText('Ana Reyes → Dr. Mira Okafor as Registrar · I-PASS')).toBeTruthy();
    const todo = within(row.getByRole('list', { name: 'To do: Edith Maron' })).getByRole('listitem');
    expect(todo.textContent).toMatch(/^Repeat lactate · Late: Night SHO, by /);
    const chat = `/chat/f-${stBrigid.id}/c-${uuid(12)}`;
    expect(hrefsOf(row)).toEqual([chat, `${chat}/h-${uuid(50)}`]);
    expect(screen.getByRole('heading', { name: 'MED 3A, Medical 3A' })).toBeTruthy();
    expect(screen.getByText(/2 of 3 not handed over · 1 waiting to be received ·/).textContent).toMatch(/as of /);
  });

  it('HAND-1 says of whom there is no hand-over yet, and leads to one, where I may give it', async () => {
    const again = rowOf(18, 'Agathe Renaud', { standing: 'declined', handover: given({ state: 'declined' }) });
    open(pageOf([WAITING, NONE, DECLINED, again])).show();
    const none = await rowNamed('Casimir Wolny');
    expect(none.getByText('No hand-over yet')).toBeTruthy();
    const begin = none.getByRole('link', { name: /^Hand over ?: Casimir Wolny$/ });
    expect(begin.getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/c-${uuid(15)}/h-${uuid(15)}`);
    expect((await rowNamed('Agathe Renaud')).getByRole('link', { name: /^Hand over/ })).toBeTruthy();
    const declined = await rowNamed('Greta Hollis');
    expect(declined.getByText('Declined')).toBeTruthy();
    expect(declined.queryByRole('link', { name: /^Hand over/ })).toBeNull();
    expect((await rowNamed('Edith Maron')).queryByRole('link', { name: /^Hand over/ })).toBeNull();
  });

  it('HAND-1 a hand-over of the shift before is told as the last, beside that there is none yet', async () => {
    const old = given({ state: 'received', given_at: '2026-11-18T19:00:00.000Z' });
    open(pageOf([{ ...NONE, handover: old }])).show();
    const row = await rowNamed('Casimir Wolny');
    expect(row.getByText('No hand-over yet')).toBeTruthy();
    expect(row.getByText(/^Last:/).textContent).toMatch(/ · Watcher · /);
    expect(row.queryByText('Watcher')).toBeNull();
  });

  it('HAND-1 another unit, another shift and another facility are in the address, and what is asked follows it', async () => {
    const { app, asked, show } = open();
    show();
    await rowNamed('Edith Maron');
    expect(asked).toEqual([{ limit: 100 }]);
    const units = screen.getByLabelText<HTMLSelectElement>('Unit');
    expect([...units.options].map(({ text }) => text)).toEqual([
      'MED 3A: 2 of 3 not handed over',
      'No unit: all 1 handed over',
    ]);
    fireEvent.change(units, { target: { value: 'none' } });
    const gone = () => app.navigate.mock.lastCall?.[0]?.href;
    expect(gone()).toBe(`/handovers?facility=${stBrigid.id}&unit=none`);
    const shift = screen.getByLabelText<HTMLSelectElement>('Shift');
    const labels = ['Night, since Thu 19 Nov, 19:00', 'Day, since Thu 19 Nov, 07:00', 'Night, since Wed 18 Nov, 19:00'];
    expect([...shift.options].map(({ text }) => text)).toEqual(labels);
    expect(shift.selectedOptions[0]?.text).toBe(labels[0]);
    fireEvent.change(shift, { target: { value: SHIFTS[1]?.since } });
    const wanted = new URLSearchParams({ facility: stBrigid.id, unit: MED.id, since: '2026-11-19T07:00:00.000Z' });
    expect(gone()).toBe(`/handovers?${wanted}`);
    // The shift of now is whichever it is when the address is opened.
    fireEvent.change(shift, { target: { value: SINCE } });
    expect(gone()).toBe(`/handovers?facility=${stBrigid.id}&unit=${MED.id}`);
    fireEvent.change(screen.getByLabelText('Facility'), { target: { value: harbour.id } });
    expect(gone()).toBe(`/handovers?facility=${harbour.id}`);
  });

  it('HAND-1 a time of the address that is no shift of the facility is told as it is', async () => {
    const search = `?facility=${stBrigid.id}&since=2026-11-19T16:30:00.000Z`;
    const { asked, show } = open(pageOf([WAITING], { since: '2026-11-19T16:30:00.000Z' }), { search });
    show();
    await rowNamed('Edith Maron');
    expect(asked).toEqual([{ limit: 100, since: '2026-11-19T16:30:00.000Z' }]);
    const { selectedOptions, options } = screen.getByLabelText<HTMLSelectElement>('Shift');
    expect(selectedOptions[0]?.text).toBe('Since Thu 19 Nov, 16:30');
    expect(options).toHaveLength(4);
  });

  it('HAND-1 a further page is of the unit and the time of the first, whatever the address leaves out', async () => {
    const { asked, server, show } = open(pageOf([WAITING], { next_cursor: 'next' }));
    server.further = pageOf([NONE]);
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await rowNamed('Casimir Wolny');
    expect(asked.at(-1)).toEqual({ cursor: 'next', limit: 100, unit: MED.id, since: SINCE });
  });

  it('HAND-1 asks again when somebody hands over or something urgent begins, and not for what people write', async () => {
    const { asked, server, heard, show } = open();
    show();
    await rowNamed('Edith Maron');
    server.page = pageOf([{ ...WAITING, standing: 'received', handover: given({ state: 'received' }) }]);
    act(() => heard['HandoverChanged']?.({}));
    expect((await rowNamed('Edith Maron')).getByText('Waiting')).toBeTruthy();
    await waitFor(async () => expect((await rowNamed('Edith Maron')).getByText('Received')).toBeTruthy());
    const before = asked.length;
    const change = { facility_id: stBrigid.id, chat_id: WAITING.chat_id, urgent_count: 3 };
    act(() => heard['ChatChanged']?.({ ...change, last_message: { kind: 'text' } }));
    act(() => heard['ChatChanged']?.({ ...change, facility_id: harbour.id, last_message: { kind: 'system' } }));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(asked.length).toBe(before);
    act(() => heard['ChatChanged']?.({ ...change, last_message: { kind: 'text' }, urgent_count: 4 }));
    await waitFor(() => expect(asked.length).toBe(before + 1), { timeout: 3000 });
    act(() => heard['ChatChanged']?.({ ...change, last_message: { kind: 'system' } }));
    await waitFor(() => expect(asked.length).toBe(before + 2), { timeout: 3000 });
  });

  it('HAND-1 offline says from when the list is, or that it needs the network', async () => {
    const first = open();
    const { unmount } = first.show();
    await rowNamed('Edith Maron');
    setOnline(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(
      screen.getByText(/^You’re offline\. This is the list of .*; hand-overs since then are missing\.$/),
    ).toBeTruthy();
    expect(screen.getByText('Waiting')).toBeTruthy();
    unmount();
    open().show();
    expect(screen.getByText('You’re offline. The hand-over list needs the network.')).toBeTruthy();
  });

  describe('on a device of one’s own', () => {
    const ownDevice = (): DeviceStore => {
      const memory = createMemoryStore(ana.id);
      const write: DeviceStore['write'] = (changes) =>
        memory.write(changes.map((change) => (change.type === 'put-meta' ? { ...change, isCache: false } : change)));
      return { ...memory, isCaching: true, write };
    };
    /** One that was looked at once, and the page that it is on is gone. */
    async function looked(store: DeviceStore, page?: HandoverListPage) {
      const { unmount } = open(page, { store }).show();
      await rowNamed('Edith Maron');
      unmount();
    }
    /** Shown anew; nothing is asked of the server. */
    const reopen = (store: DeviceStore, status: number | null = null, search = '') => {
      const { app, show } = open(undefined, { store, search });
      if (status === null) {
        setOnline(false);
        app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
      } else app.refuse(status);
      return show();
    };

    it('HAND-1 OFF-1 offline the list that was loaded last is there, in its order, and says from when it is', async () => {
      const store = ownDevice();
      await looked(store, pageOf([DECLINED, WAITING, NONE]));
      // A later list has its place, with who is on it now.
      await looked(store, pageOf([NONE, WAITING]));
      reopen(store);
      await rowNamed('Edith Maron');
      expect(
        screen.getAllByRole('link', { name: /Wolny$|Maron$|Hollis$/ }).map(({ textContent }) => textContent),
      ).toEqual([...['Casimir Wolny', 'Hand over: Casimir Wolny', 'Edith Maron']]);
      expect(
        screen.getByText(/^You’re offline\. This is the list of .*; hand-overs since then are missing\.$/),
      ).toBeTruthy();
      expect(screen.getByRole('heading', { name: 'MED 3A, Medical 3A' })).toBeTruthy();
      expect([...(await store.metaWithPrefix('handover-list/')).keys()]).toHaveLength(3);
      cleanup();
      const shared = createMemoryStore(ana.id);
      setOnline(true);
      await looked(shared);
      expect(await shared.metaWithPrefix('handover-list/')).toEqual(new Map());
    });

    it('HAND-1 OFF-1 who is no longer in a chat has its patient on no list that is kept', async () => {
      const store = ownDevice();
      await looked(store);
      await store.write([{ type: 'wipe-chat', chatId: WAITING.chat_id }]);
      reopen(store);
      await rowNamed('Casimir Wolny');
      expect(screen.queryByText('Edith Maron')).toBeNull();
    });

    it('HAND-1 OFF-1 where the server does not answer it says so, and what the server refuses is kept no longer', async () => {
      const store = ownDevice();
      await looked(store);
      const down = reopen(store, 503);
      await rowNamed('Edith Maron');
      expect(screen.getByText(/^This is the list of .*\. It did not load again since\.$/)).toBeTruthy();
      down.unmount();
      reopen(store, 403);
      expect(await screen.findByText('The hand-over list did not load')).toBeTruthy();
      await waitFor(async () => expect([...(await store.metaWithPrefix('handover-list/')).keys()]).toEqual([]));
    });

    it('HAND-1 OFF-1 another unit, and another shift than that of now, need the network', async () => {
      const store = ownDevice();
      await looked(store);
      for (const search of [`unit=${uuid(91)}`, `since=${SINCE}`]) {
        const { unmount } = reopen(store, 503, `?facility=${stBrigid.id}&${search}`);
        expect(await screen.findByText('The hand-over list did not load')).toBeTruthy();
        unmount();
      }
    });
  });

  it('HAND-1 says why it did not load, and that there are no patients where there are none', async () => {
    const { app, show } = open(pageOf([], { units: [], unit_id: null }));
    app.refuse(503);
    const { unmount } = show();
    expect(await screen.findByText('The hand-over list did not load')).toBeTruthy();
    app.answer();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No patients')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
    unmount();
  });

  it('HAND-1 A29 prints the whole list, with boxes for what is to be done, and each print is noted', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const { server, printed, show } = open(pageOf([WAITING], { next_cursor: 'next' }));
    server.further = pageOf([NONE]);
    show();
    await rowNamed('Edith Maron');
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    const sheet = within(await screen.findByRole('article', { name: /^Hand-over list: MED 3A, Medical 3A/ }));
    expect(sheet.getByText('☐ Repeat lactate, Night SHO, by', { exact: false })).toBeTruthy();
    expect(
      sheet
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual([
      expect.stringMatching(
        /^3A-12Edith MaronMRN 40-12, born 14 Mar 1948Waiting, Watcher.*2 critical results open1 urgent/,
      ),
      expect.stringMatching(/^3A-15Casimir Wolny.*No hand-over yet$/),
    ]);
    expect(sheet.getByText(/^Night, since .*19:00\. 2 of 3 not handed over/)).toBeTruthy();
    expect(sheet.getByText(/^As of .*patients of the chats of Ana Reyes only/)).toBeTruthy();
    expect(printed).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
    await waitFor(() => expect(printed).toEqual([{ unit: MED.id, since: SINCE }]));
    expect(print).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
    fireEvent.click(screen.getByRole('button', { name: 'Back to the list' }));
    await rowNamed('Edith Maron');
  });
});
