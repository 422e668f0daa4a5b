// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type FoundFile, type FoundMessage, search } from '@wardline/contract/chat/search.ts';
import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { allChats, ana, edith, harbour, leila, mira, stBrigid } from '#/testing/fake-chats.ts';
import { readFilter, type SearchFilter, searchPath } from './search-address.ts';
import { SearchView } from './search-view.tsx';

const [, priya, team] = allChats;
const all = readFilter('');

function hit(
  seq: number,
  excerpt: string,
  ranges: FoundMessage['ranges'],
  change: Partial<FoundMessage> = {},
): FoundMessage {
  const { id, facility_id, kind, title, patient } = edith;
  const message = { id: `01970000-0000-7000-8000-${String(seq).padStart(12, '0')}`, seq, excerpt, ranges };
  return {
    ...message,
    chat: { id, facility_id, kind, title, patient },
    sender: mira,
    created_at: '2026-11-20T00:35:00Z',
    ...change,
  };
}

function file(seq: number, name: string, change: Partial<FoundFile> = {}): FoundFile {
  const { id, chat, sender, created_at } = hit(seq, '', []);
  return {
    id,
    name,
    kind: 'pdf',
    is_voice: false,
    ranges: [],
    chat,
    message_id: id,
    seq,
    sender,
    created_at,
    ...change,
  };
}

type Query = QueryOf<typeof search>;

interface Given {
  readonly text?: string;
  /** What the page has searched for so far; what was typed unless a test says otherwise. */
  readonly searched?: string;
  readonly facilities?: readonly Facility[];
  readonly filter?: SearchFilter;
}

function open(
  answer: (query: Query) => Partial<ReplyOf<typeof search>> & { data: FoundMessage[] },
  { text = 'potas', searched, facilities = [stBrigid, harbour], filter = all }: Given = {},
) {
  const app = createFakeApp();
  const asked: Query[] = [];
  app.api.on(search, ({ query }) => {
    asked.push(query);
    return { next_cursor: null, chats: [], people: [], ...answer(query) };
  });
  const onFilter = vi.fn();
  function Page() {
    const [typed, setTyped] = useState(text);
    const [narrowed, setNarrowed] = useState(filter);
    return (
      <SearchView
        me={ana}
        facilities={facilities}
        chats={allChats}
        text={typed}
        searched={searched ?? typed}
        onText={setTyped}
        filter={narrowed}
        onFilter={(next) => {
          onFilter(next);
          setNarrowed(next);
        }}
      />
    );
  }
  app.draw(<Page />);
  const field = () => screen.getByRole<HTMLInputElement>('searchbox');
  return { app, asked, onFilter, field };
}

// A row that is not measured is drawn as high as it is thought to be.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000));
afterEach(() => {
  vi.restoreAllMocks();
  setOnline(true);
  vi.restoreAllMocks();
});

it('PERM-4 who is quicker than the search takes the number they typed along to the emergency access', async () => {
  const may: Facility = { ...stBrigid, permissions: ['chats.break_glass'] };
  open(() => ({ data: [] }), { text: '77-310-456', searched: '', facilities: [may] });
  fireEvent.click(screen.getByRole('button', { name: 'Emergency access to a patient’s chat' }));
  const number = await screen.findByLabelText<HTMLInputElement>('MRN or other ID');
  expect(number.value).toBe('77-310-456');
});

it('PERM-4 SHELL-7 the emergency access keeps its place and the focus whatever the search says meanwhile', async () => {
  const may: Facility = { ...stBrigid, permissions: ['chats.break_glass'] };
  const answers: (() => void)[] = [];
  const { app, asked, field } = open(
    ({ q }) => ({ data: q === 'potassium' ? [hit(38, 'Potassium', [{ start: 0, end: 9 }])] : [] }),
    { text: '', facilities: [may] },
  );
  app.api.around = async (_request, go) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return go();
  };
  const button = screen.getByRole('button', { name: 'Emergency access to a patient’s chat' });
  const search = async (text: string, shown: () => Promise<unknown>) => {
    fireEvent.change(field(), { target: { value: text } });
    button.focus();
    await screen.findByLabelText('Searching');
    expect(document.activeElement).toBe(button);
    await waitFor(() => expect(answers).toHaveLength(1));
    answers.pop()?.();
    await shown();
    expect(document.activeElement).toBe(button);
  };
  await search('77-310-456', () => screen.findByRole('heading', { name: 'Nothing found for “77-310-456”' }));
  await search('potassium', () => screen.findByRole('list', { name: 'Messages found' }));
  expect(asked).toHaveLength(2);
  fireEvent.click(button);
  expect(await screen.findByRole('dialog')).toBeTruthy();
});

describe('the page of the search', () => {
  it('CHAT-15 shows who said what where, marked, and each row leads to its message', async () => {
    open(() => ({
      data: [
        hit(38, 'The potassium is 6.8', [{ start: 4, end: 9 }]),
        hit(31, 'Potassium drawn', [{ start: 0, end: 5 }], { sender: ana }),
      ],
    }));
    const rows = within(await screen.findByRole('list', { name: 'Messages found' })).getAllByRole('link');
    expect(rows.map((row) => row.getAttribute('href'))).toEqual([
      `/chat/f-${stBrigid.id}/c-${edith.id}?message=38`,
      `/chat/f-${stBrigid.id}/c-${edith.id}?message=31`,
    ]);
    expect(rows[0]?.textContent).toContain('Edith MaronMRN 40-118-236');
    expect(rows[0]?.textContent).toContain('Dr. Mira Okafor: The potassium is 6.8');
    expect(rows[1]?.textContent).toContain('You: Potassium drawn');
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['potas', 'Potas']);
    expect(screen.getByRole('status').textContent).toBe('2 found');
  });

  it('CHAT-22 shows no signs of bold, whether they were found or stand around it, and leaves a power', async () => {
    open(() => ({ data: [hit(38, '… 2**3 **Situation:** is **worse** now', [{ start: 9, end: 18 }])] }));
    expect((await screen.findByText('Situation')).parentElement?.textContent).toContain('2**3 Situation: is worse now');
  });

  it('CHAT-15 shows patients, chats and people apart from messages', async () => {
    const person = { facility_id: stBrigid.id, user_id: leila.id, name: leila.name, title: leila.title };
    open(() => ({
      data: [hit(38, 'Potassium', [{ start: 0, end: 5 }])],
      chats: [edith, team].filter((chat) => chat !== undefined),
      people: [person],
    }));
    await screen.findByRole('region', { name: 'Messages' });
    const linkIn = (name: string) => within(screen.getByRole('region', { name })).getByRole('link');
    expect(linkIn('Patients').textContent).toContain('MRN 40-118-236');
    expect(linkIn('Chats').textContent).toContain('MED 3A night team');
    expect(linkIn('People').getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/p-${leila.id}`);
  });

  it('CHAT-15 asks for the next page when the last row is drawn', async () => {
    const { asked } = open((query) =>
      query.cursor === undefined
        ? { data: [hit(38, 'Potassium one', [])], next_cursor: 'next' }
        : { data: [hit(37, 'Potassium two', [])] },
    );
    expect(await screen.findByText(/Potassium two/)).toBeTruthy();
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'next']);
  });

  it('CHAT-15 shows files by their names, what they are, from whom and where, and leads to their message', async () => {
    open(() => ({
      data: [hit(38, 'Potassium', [])],
      files: [
        file(37, 'Potassium chart.pdf', { ranges: [{ start: 0, end: 5 }] }),
        file(36, 'Potassium.webm', { kind: 'audio', is_voice: true, sender: ana }),
        file(35, 'potassium.xyz', { kind: 'of a later build' }),
      ],
    }));
    const rows = within(await screen.findByRole('region', { name: 'Files' })).getAllByRole('link');
    expect(rows.map((row) => row.getAttribute('href'))).toEqual(
      [37, 36, 35].map((seq) => `/chat/f-${stBrigid.id}/c-${edith.id}?message=${seq}`),
    );
    expect(rows.map((row) => row.querySelector('.lrow-text')?.textContent)).toEqual([
      'PDF from Dr. Mira Okafor · Edith Maron, MRN 40-118-236',
      'Voice note from you · Edith Maron, MRN 40-118-236',
      'File from Dr. Mira Okafor · Edith Maron, MRN 40-118-236',
    ]);
    expect(rows[0]?.querySelector('mark')?.textContent).toBe('Potas');
    expect(screen.getByRole('status').textContent).toBe('4 found');
    expect(screen.getByRole('option', { name: 'Edith Maron, MRN 40-118-236' })).toBeTruthy();
  });

  it('CHAT-15 shows five files over the messages, and all of them page by page where they alone are looked for', async () => {
    const many = Array.from({ length: 8 }, (_, n) => file(n + 1, `Potassium ${n}.pdf`));
    const { asked, onFilter } = open(({ types, cursor }) =>
      types === undefined || cursor !== undefined
        ? { data: [], files: many }
        : { data: [], files: [file(20, 'Potassium first.pdf')], next_cursor: 'next' },
    );
    expect(within(await screen.findByRole('region', { name: 'Files' })).getAllByRole('link')).toHaveLength(5);
    fireEvent.click(screen.getByRole('button', { name: 'Show all files' }));
    expect(onFilter).toHaveBeenLastCalledWith({ ...all, type: 'files' });
    expect(await screen.findByText('Potassium first.pdf')).toBeTruthy();
    await waitFor(() => expect(asked).toHaveLength(3));
    expect(screen.getByText('Potassium 7.pdf')).toBeTruthy();
    expect(asked.slice(1).map(({ types, cursor }) => [types, cursor])).toEqual([
      [['files'], undefined],
      [['files'], 'next'],
    ]);
    expect(screen.queryByRole('button', { name: 'Show all files' })).toBeNull();
    expect(screen.getByRole('combobox', { name: 'Chat' })).toBeTruthy();
  });

  it('CHAT-15 narrows by kind, chat, person and time', async () => {
    const { asked, onFilter } = open(() => ({ data: [hit(38, 'Potassium', [])] }));
    await screen.findByRole('list', { name: 'Messages found' });
    expect(asked).toEqual([{ q: 'potas', limit: 30 }]);
    fireEvent.change(screen.getByRole('combobox', { name: 'Chat' }), { target: { value: edith.id } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Person' }), { target: { value: mira.id } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Time' }), { target: { value: 'week' } });
    const narrowed = { type: 'all', chatId: edith.id, senderId: mira.id, time: 'week' };
    expect(onFilter).toHaveBeenLastCalledWith(narrowed);
    await waitFor(() => expect(asked.at(-1)?.from).toBeDefined());
    expect(asked.at(-1)).toMatchObject({ q: 'potas', types: ['messages', 'files'], chat: edith.id, sender: mira.id });
    expect(readFilter(searchPath(narrowed as SearchFilter).split('?')[1] ?? '')).toEqual(narrowed);
    fireEvent.click(screen.getByRole('button', { name: 'People' }));
    expect(screen.queryByRole('combobox', { name: 'Chat' })).toBeNull();
  });

  it('CHAT-15 says what can be typed, that nothing was found, and why it did not work, with a way to try again', async () => {
    const { app, asked, field } = open(() => ({ data: [] }), { text: '' });
    expect(screen.getByRole('heading', { name: 'Search everything you can read' })).toBeTruthy();
    fireEvent.change(field(), { target: { value: ':* !' } });
    expect(screen.getByRole('heading', { name: 'Search everything you can read' })).toBeTruthy();
    expect(asked).toHaveLength(0);
    fireEvent.change(field(), { target: { value: 'zzz' } });
    expect(await screen.findByRole('heading', { name: 'Nothing found for “zzz”' })).toBeTruthy();
    app.refuse(422, { errors: { q: ['At most 12 words.'] } });
    fireEvent.change(field(), { target: { value: 'a b c d e f g h i j k l m' } });
    expect((await screen.findByRole('alert')).textContent).toContain('At most 12 words.');
    app.answer();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });

  it('CHAT-15 needs the network, keeps what was typed without it, and goes on when it is back', async () => {
    setOnline(false);
    const { asked, field } = open(() => ({ data: [hit(38, 'Potassium', [])] }));
    expect(screen.getByRole('heading', { name: 'Search needs the network' })).toBeTruthy();
    expect(field().value).toBe('potas');
    expect(asked).toHaveLength(0);
    act(() => setOnline(true));
    expect(await screen.findByRole('list', { name: 'Messages found' })).toBeTruthy();
  });

  it('CHAT-15 the arrows go from the field over the rows and back', async () => {
    const { field } = open(() => ({
      data: [hit(38, 'Potassium one', []), hit(37, 'Potassium two', [])],
      chats: priya ? [priya] : [],
    }));
    await screen.findByRole('list', { name: 'Messages found' });
    expect(document.activeElement).toBe(field());
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    press('ArrowDown');
    expect(document.activeElement?.textContent).toContain('Priya Nair');
    press('ArrowDown');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toContain('Potassium two');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toContain('Potassium two');
    for (let step = 0; step < 3; step++) press('ArrowUp');
    expect(document.activeElement).toBe(field());
  });
});

it('CHAT-15 an address says what a search is narrowed to, never what was searched for', () => {
  expect(searchPath(all)).toBe('/search');
  expect(readFilter('type=people&chat=nobody&from=<x>&time=toString&q=Maron')).toEqual({ ...all, type: 'people' });
});
